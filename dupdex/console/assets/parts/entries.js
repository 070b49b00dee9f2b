/* The entries of a bank: a table with paging, what they caught, and a form for new ones. */
import { ask } from "../api.js";
import { h } from "../dom.js";
import { ago, at, begun, count } from "../format.js";
import { say } from "../preferences.js";
import { tell } from "../states.js";
import { confirmed } from "./dialog.js";

const LONGEST = 160;
const SIZE = 50;

export const pathOf = (bank, ...more) => ["banks", bank, ...more].map(encodeURIComponent).join("/");

/* Fetches the first page; `caught`: documents found by entry, of the last time that was looked. */
export async function entries(bank, caught) {
  const body = h("tbody");
  const more = h("button", { type: "button" }, say("更多", "More"));
  async function page(after) {
    const found = await ask(pathOf(bank, "entries"), { query: { size: SIZE, after } });
    body.append(...found.entries.map((each) => line(each, bank, caught)));
    more.hidden = !found.next;
    more.onclick = () => page(found.next).catch((error) => tell(error.message));
    return found.entries.length;
  }
  if (!(await page())) return h("p", { class: "soft" }, say("还没有条目，用上面的表单加入第一条。", "No entries yet; add the first one above."));
  const heads = [say("文本", "Text"), say("标签", "Labels"), say("理由", "Reason"), say("加入", "Added"), say("到期", "Expires"), say("命中文档", "Documents hit")];
  return [h("div", { class: "scroll" }, h("table", { id: "entries" }, h("thead", {}, h("tr", {}, heads.map((words, place) => h("th", { scope: "col", class: place === 5 ? "number" : null }, words)), h("th", { scope: "col" }, h("span", { class: "hidden" }, say("操作", "Actions"))))), body)), more];
}

function line(entry, bank, caught) {
  const over = entry.expires && Date.parse(entry.expires) <= Date.now();
  const row = h("tr", { "data-entry": entry.id },
    h("td", { dir: "auto" }, begun(entry.text, LONGEST), h("p", { class: "id soft small", dir: "auto" }, entry.id)), h("td", { dir: "auto" }, entry.labels.join(", ")),
    h("td", { dir: "auto" }, entry.reason, entry.by ? h("p", { class: "soft small", dir: "auto" }, entry.by) : null), h("td", { title: at(entry.added) }, ago(entry.added)),
    h("td", { title: entry.expires ? at(entry.expires) : null }, !entry.expires ? say("不到期", "never") : over ? h("strong", {}, say("已到期", "expired")) : ago(entry.expires)),
    h("td", { class: "number" }, caught ? count(caught.get(entry.id) || 0) : "–"),
    h("td", {}, h("button", { type: "button", class: "plain", onclick: removed }, say("移除", "Remove"))));
  async function removed() {
    if (!(await confirmed(say(`移除条目“${begun(entry.text, LONGEST)}”？`, `Remove the entry “${begun(entry.text, LONGEST)}”?`)))) return;
    try {
      await ask(pathOf(bank, "entries", entry.id), { method: "DELETE" });
      const next = row.nextElementSibling || row.previousElementSibling;
      row.remove();
      tell(say("已移除。", "Removed."));
      next?.querySelector("button")?.focus();
    } catch (error) {
      tell(error.message);
    }
  }
  return row;
}

/* A form that adds an entry; `added` is called afterwards. */
export function adding(bank, added) {
  const text = h("textarea", { name: "text", dir: "auto", rows: 4, required: true });
  const labels = h("input", { name: "labels", dir: "auto", placeholder: say("用逗号分隔", "by commas") });
  const reason = h("input", { name: "reason", dir: "auto", maxlength: 1000 });
  const expires = h("input", { name: "expires", placeholder: "30d" });
  const form = h("form", { class: "card", onsubmit: submit }, h("h2", {}, say("加入条目", "Add an entry")),
    h("label", { class: "whole" }, say("文本", "Text"), text),
    h("div", { class: "row" }, h("label", {}, say("标签", "Labels"), labels), h("label", {}, say("理由", "Reason"), reason),
      h("label", {}, say("到期（如 30d，或时间）", "Expires (30d, or a time)"), expires), h("button", { class: "main", type: "submit" }, say("加入", "Add"))));
  async function submit(event) {
    event.preventDefault();
    const entry = { text: text.value, labels: labels.value.split(/[,，]/).map((each) => each.trim()).filter(Boolean), reason: reason.value.trim(), expires: expires.value.trim() || null };
    try {
      const [outcome] = (await ask(pathOf(bank, "entries"), { method: "POST", body: { entries: [entry] } })).entries;
      if (outcome.reason) return tell(outcome.reason);
      form.reset();
      tell(say("已加入，立即生效。", "Added; it acts at once."));
      await added();
    } catch (error) {
      tell(error.message);
    }
    return undefined;
  }
  return form;
}
