/* Who is signed in, what they may do, and which indices they may look at. */
import { ask, useToken } from "./api.js";
import { ROOT } from "./navigation.js";
import { indexInUse } from "./preferences.js";

const NOBODY = { name: "", rights: [], keys: false, token: null };

let session = null;
let indices = [];
let standard = "";

/* Whether the caller has a right: "read", "write", "review" or "admin". */
export const may = (right) => (session || NOBODY).rights.includes(right);

export const who = () => session || NOBODY;

export const knownIndices = () => indices;

/* Ask who this is, once. A gateway that asks for a key answers 401. */
export async function meet() {
  if (session) return;
  const [told, found] = await Promise.all([
    ask("session"),
    ask("indices").catch((error) => {
      if (error.status === 401) throw error;
      return { indices: [], standard: "" }; // the view tells what is wrong with the store
    }),
  ]);
  greet(told, found);
}

export async function signIn(key) {
  const told = await ask("session", { method: "POST", body: { key } });
  useToken(told.token);
  greet(told, await ask("indices"));
}

export async function signOut() {
  await ask("session", { method: "DELETE" });
  forget();
}

/* Nobody is known any more: the next view asks again. */
export function forget() {
  session = null;
  useToken("");
}

function greet(told, found) {
  session = told;
  useToken(told.token);
  indices = found.indices;
  standard = found.standard;
}

/* The index of an address; without one the one that was used last, which then stands in it. */
export function located() {
  const query = new URLSearchParams(location.search);
  const named = query.get("index");
  if (named) {
    indexInUse(named);
    return query;
  }
  const last = indexInUse();
  const index = last && (indices.includes(last) || !indices.length) ? last : standard;
  if (index) {
    indexInUse(index);
    query.set("index", index);
    history.replaceState(history.state, "", `${location.pathname}?${query}${location.hash}`);
  }
  return query;
}

/* Where to sign in, and come back from to where the reader is. */
export function signInAddress() {
  const here = location.pathname + location.search;
  const back = location.pathname.startsWith(`${ROOT}sign-in`) ? goal(new URLSearchParams(location.search)) : here;
  return `${ROOT}sign-in?${new URLSearchParams({ to: back })}`;
}

/* Where a reader wanted to go: only ever a page of the console. */
export function goal(query) {
  const to = query.get("to") || "";
  return to.startsWith(ROOT) && !to.startsWith(`${ROOT}sign-in`) ? to : ROOT;
}
