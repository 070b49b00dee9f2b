/* A question that must be answered before something is changed. */
import { h } from "../dom.js";
import { say } from "../preferences.js";

export function confirmed(words) {
  return new Promise((resolve) => {
    const answer = (value) => { dialog.close(); dialog.remove(); resolve(value); };
    const dialog = h("dialog", { "aria-label": words, oncancel: () => answer(false) }, h("p", {}, words),
      h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: () => answer(true) }, say("确定", "Yes")),
        h("button", { type: "button", onclick: () => answer(false) }, say("取消", "Cancel"))));
    document.body.append(dialog);
    dialog.showModal();
  });
}
