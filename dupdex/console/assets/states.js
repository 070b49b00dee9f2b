/* What stands where an answer will be, or where there is none. */
import { h, put } from "./dom.js";
import { say } from "./preferences.js";
import { signInAddress } from "./session.js";

const SLOW = 3000;

/* Show that something is asked for, then what `show` makes of the answer, or why there is none.
   `view` is the element that is filled; a later call for the same one ends an earlier one. */
export async function during(view, asking, show) {
  const turn = (turns.get(view) || 0) + 1;
  turns.set(view, turn);
  const waiting = h("div", { class: "state", role: "status" }, h("div", { class: "wait" }), say("正在查询…", "Asking…"));
  view.setAttribute("aria-busy", "true");
  const shown = setTimeout(() => put(view, waiting), 120); // a fast answer does not flicker
  const slow = setTimeout(() => {
    put(waiting, h("div", { class: "wait" }), say("比平时慢，仍在等待…", "This takes longer than usual; still waiting…"));
  }, SLOW);
  try {
    const answer = await asking();
    if (turns.get(view) === turn) put(view, await show(answer));
  } catch (error) {
    if (turns.get(view) === turn && error.name !== "AbortError") put(view, failed(error));
  } finally {
    clearTimeout(shown);
    clearTimeout(slow);
    if (turns.get(view) === turn) view.removeAttribute("aria-busy");
  }
}

const turns = new WeakMap();

export function empty(zh, en, ...more) {
  return h("div", { class: "state" }, h("p", {}, say(zh, en)), more);
}

export function failed(error) {
  const title = error.status === 401
    ? say("请先登录", "Please sign in")
    : error.status === 403
    ? say("没有权限", "Not allowed")
    : error.status === 404
      ? say("没有找到", "Not found")
      : error.status === 0
        ? say("网关没有应答", "The gateway does not answer")
        : say("出错了", "Something went wrong");
  return h("div", { class: "state failed", role: "alert" }, h("strong", {}, title), h("p", {}, error.message || ""),
    error.status === 401 ? h("a", { class: "button", href: signInAddress() }, say("登录", "Sign in")) : null);
}

/* A short message that screen readers read, and that goes away by itself. */
export function tell(words) {
  const said = document.getElementById("said");
  put(said, words);
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => put(said), 6000);
}
