/* Banks: known texts that are denied or allowed; one bank with its entries, tried and looked back. */
import { ask } from "../api.js";
import { go } from "../navigation.js";
import { apart, h, put } from "../dom.js";
import { ago, at, count, similarity } from "../format.js";
import { confirmed } from "../parts/dialog.js";
import { adding, entries, pathOf } from "../parts/entries.js";
import { verdict } from "../parts/matches.js";
import { caughtBy, lookingBack } from "../parts/retro.js";
import { indexInUse, say } from "../preferences.js";
import { may } from "../session.js";
import { during, empty, tell } from "../states.js";

const KINDS = () => ({ deny: say("禁止", "deny"), allow: say("放行", "allow") });
const RULINGS = () => ({ denied: say("禁止", "denied"), allowed: say("放行", "allowed"), none: say("没有条目命中", "no entry matches") });
const COLOURS = { denied: "exact", allowed: "none", none: "partial" };

export function show(main, parts, query) {
  const target = query.get("index") || indexInUse();
  return parts.length ? one(main, parts[0], target) : many(main);
}

const kind = (name) => h("span", { class: `verdict ${name === "deny" ? "exact" : "none"}` }, KINDS()[name] || name);

function many(main) {
  const place = h("section");
  const name = h("input", { name: "name", required: true, pattern: "[a-z0-9][a-z0-9_\\-]*", maxlength: 64, title: say("小写字母、数字、- 和 _", "lower-case letters, digits, - and _") });
  const kinds = h("select", { name: "kind" }, Object.entries(KINDS()).map(([value, words]) => h("option", { value }, words)));
  const indices = h("input", { name: "indices", value: "*" }), about = h("input", { name: "about", dir: "auto", maxlength: 1000 });
  const form = h("form", { class: "row", onsubmit: made }, h("label", {}, say("名称", "Name"), name), h("label", {}, say("种类", "Kind"), kinds),
    h("label", {}, say("适用索引", "For indices"), indices), h("label", {}, say("说明", "About"), about), h("button", { class: "main", type: "submit" }, say("新建样本库", "Make a bank")));
  async function made(event) {
    event.preventDefault();
    const body = { name: name.value.trim(), kind: kinds.value, indices: indices.value.split(/[,，\s]+/).filter(Boolean), about: about.value.trim() };
    try {
      await ask("banks", { method: "POST", body });
      await go(`banks/${encodeURIComponent(body.name)}`);
    } catch (error) {
      tell(error.message);
    }
  }
  put(main, h("div", { class: "head" }, h("h1", {}, say("样本库", "Banks")), h("p", {}, say("已知的禁止或放行文本", "Known texts that are denied or allowed"))), may("review") ? form : null, place);
  return void during(place, () => ask("banks"), ({ banks }) => (banks.length ? h("div", { class: "scroll" }, table(banks)) : empty("还没有样本库。", "There are no banks yet.")));
}

const table = (banks) => h("table", {}, h("thead", {}, h("tr", {}, [say("名称", "Name"), say("种类", "Kind"), say("条目", "Entries"), say("适用索引", "For indices"), say("说明", "About"), say("建立", "Made")].map((words, place) => h("th", { scope: "col", class: place === 2 ? "number" : null }, words)))),
  h("tbody", {}, banks.map((bank) => h("tr", {}, h("td", {}, may("review") ? h("a", { href: `/_dupdex/console/banks/${encodeURIComponent(bank.name)}` }, bank.name) : bank.name), h("td", {}, kind(bank.kind)), h("td", { class: "number" }, count(bank.entries)),
    h("td", {}, bank.indices.join(", ")), h("td", { dir: "auto" }, bank.about), h("td", { title: at(bank.made) }, ago(bank.made))))));

function one(main, name, target) {
  const [about, list] = [h("section"), h("section", { "aria-label": say("条目", "Entries") })];
  const read = async () => (await ask(pathOf(name))).banks[0];
  const listed = () => during(list, async () => entries(name, await caughtBy(name)), (shown) => [h("h2", {}, say("条目", "Entries")), shown]);
  const refreshed = () => Promise.all([during(about, read, described), listed()]);
  const described = (bank) => h("dl", { class: "card" }, h("dt", {}, say("种类", "Kind")), h("dd", {}, kind(bank.kind)), h("dt", {}, say("条目", "Entries")), h("dd", { id: "count" }, count(bank.entries)), h("dt", {}, say("适用索引", "For indices")), h("dd", {}, bank.indices.join(", ")),
    bank.about ? [h("dt", {}, say("说明", "About")), h("dd", { dir: "auto" }, bank.about)] : null, h("dt", {}, say("建立", "Made")), h("dd", {}, at(bank.made), bank.by ? [" · ", apart(bank.by)] : ""));
  async function dropped() {
    if (!(await confirmed(say(`删除样本库 ${name} 和它的全部条目？`, `Remove the bank ${name} with all its entries?`)))) return;
    try {
      await ask(pathOf(name), { method: "DELETE" });
      await go("banks");
      tell(say("已删除。", "Removed."));
    } catch (error) {
      tell(error.message);
    }
  }
  const [retro, end] = lookingBack(name, listed);
  put(main, h("div", { class: "head" }, h("h1", {}, say("样本库 ", "Bank "), h("span", { class: "id" }, name)), h("p", {}, h("a", { href: "/_dupdex/console/banks" }, say("全部样本库", "All banks")))),
    about, trying(name, target), adding(name, refreshed), list, retro, h("div", { class: "row" }, h("button", { type: "button", onclick: dropped }, say("删除样本库", "Remove the bank"))));
  refreshed();
  return end;
}

/* What the bank says of a text, without storing anything. */
function trying(name, target) {
  const text = h("textarea", { dir: "auto", rows: 3, required: true, id: "try" }), answer = h("div", { "aria-live": "polite" });
  const submit = (event) => {
    event.preventDefault();
    during(answer, () => ask(pathOf(name, "check"), { method: "POST", query: { target }, body: { text: text.value } }), (found) => ruled(found, text.value));
  };
  return h("form", { class: "card", onsubmit: submit }, h("h2", {}, say("试一段文本", "Try a text")), h("label", { class: "whole" }, say("文本", "Text"), text), h("div", { class: "row" }, h("button", { type: "submit" }, say("检查", "Check"))), answer);
}

function ruled(found, text) {
  const places = (hit) => hit.passages.slice(0, 3).map(({ asked: [start, stop] }) => h("mark", { dir: "auto" }, [...text].slice(start, stop).join("")));
  return [h("p", { class: `headline ${COLOURS[found.ruling]}`, role: "status" }, RULINGS()[found.ruling]),
    h("ul", { class: "list" }, found.hits.map((hit) => h("li", { class: "row" }, verdict(hit.verdict), h("span", { class: "number" }, similarity(hit.similarity)), h("span", { class: "id", dir: "auto" }, hit.entry), h("span", { dir: "auto" }, hit.labels.join(", "), " ", hit.reason),
      hit.overruled ? h("em", {}, say("被放行条目推翻", "overruled by an allow entry")) : null, h("div", { class: "whole small" }, places(hit)))))];
}
