/* Who reviews, and in which window: a pair is before one window at a time. */
const NAME = "dupdex-reviewer";

/* The name of this window, new whenever the console is loaded: what it held is given back when it
   is left, or lapses. */
export const seat = crypto.getRandomValues(new Uint32Array(4)).join("-");

export function reviewer() {
  try { return localStorage.getItem(NAME) || ""; } catch (error) { return ""; }
}

export function isReviewer(name) {
  try { localStorage.setItem(NAME, name); } catch (error) { /* a browser that keeps nothing */ }
}
