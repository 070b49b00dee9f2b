/* Keys that do something on a page, and the list of them that `?` shows. */
import { h } from "../dom.js";
import { say } from "../preferences.js";

const WRITING = "input, textarea, select, [contenteditable]";

/* `keys`: [key, words, what to do]. Keys do nothing while somebody writes, or with Ctrl and the
   like. Returns what ends it. */
export function listen(keys) {
  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest && event.target.closest(WRITING)) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "?") return void help(keys);
    const found = keys.find(([key]) => key === event.key.toLowerCase());
    if (!found || event.repeat) return;
    event.preventDefault();
    found[2]();
  }
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}

export function help(keys) {
  const shown = [...keys, ["?", say("显示这些按键", "show these keys")]];
  const dialog = h("dialog", { "aria-labelledby": "keys-title", onclose: () => dialog.remove() },
    h("h2", { id: "keys-title" }, say("按键", "Keys")),
    h("dl", { class: "keys" }, shown.map(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
    h("form", { method: "dialog" }, h("button", { class: "main" }, say("关闭", "Close"))));
  document.body.append(dialog);
  dialog.showModal();
}
