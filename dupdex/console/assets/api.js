/* The REST interface, which is all that the console talks to. */
const ROOT = "/_dupdex/v1/";

export class ApiError extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || `status ${status}`);
    this.status = status;
    this.code = problem.code || "";
  }
}

let token = "";
let whenOver = () => {};

/* What happens where the interface asks for a key: no session, or one that is over. */
export function onSignedOut(action) {
  whenOver = action;
}

/* The token of a signed-in session, which requests that change something must show. */
export function useToken(value) {
  token = value || "";
}

/* JSON of an endpoint. `query` and `body` are plain objects; absent values are left out. */
export async function ask(path, { method = "GET", query, body, signal, accept, keepalive } = {}) {
  const headers = { Accept: accept || "application/json", "X-Requested-With": "dupdex-console" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET" && token) headers["X-CSRF-Token"] = token;
  let answer;
  try {
    answer = await fetch(address(path, query), {
      method,
      headers,
      signal,
      keepalive,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, { detail: String(error.message) });
  }
  const kind = answer.headers.get("Content-Type") || "";
  if (answer.status === 401 && method + path !== "POSTsession") whenOver();
  if (!answer.ok) throw new ApiError(answer.status, kind.includes("json") ? await answer.json() : {});
  if (answer.status === 204) return null;
  return kind.includes("json") ? answer.json() : answer.text();
}

export function address(path, query) {
  const url = new URL(ROOT + path, document.baseURI);
  for (const [name, value] of Object.entries(query || {})) {
    if (value !== undefined && value !== null && value !== "") url.searchParams.append(name, value);
  }
  return url;
}
