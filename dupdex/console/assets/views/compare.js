/* Compare: two texts side by side, by the same page that `dupdex explain --html` writes. */
import { ask } from "../api.js";
import { h, put } from "../dom.js";
import { indexInUse, say } from "../preferences.js";
import { during } from "../states.js";
import { named, recalled, remember } from "./ask.js";

export function show(main, _parts, query) {
  const target = query.get("index") || indexOf(query.get("first")) || indexInUse();
  if (query.get("pair")) return opened(main, target, query.get("pair"));
  const place = h("section", { "aria-label": say("对比结果", "Comparison") });
  const sides = ["first", "second"].map((name, at) => side(name, query.get(name), at === 0 && !query.get(name) ? recalled() : "", at));
  function submit(event) {
    event.preventDefault();
    const address = new URLSearchParams({ index: target });
    sides.forEach((each) => each.id.value.trim() && address.set(each.name, each.id.value.trim()));
    if (!sides[0].id.value.trim()) remember(sides[0].text.value);
    history.replaceState(null, "", `/_dupdex/console/compare?${address}`);
    folded.open = false;
    folded.querySelector("summary").focus({ preventScroll: true });
    run();
  }
  function run() {
    const [first, second] = sides.map((each) => (each.id.value.trim() ? named(each.id.value.trim()) : { text: each.text.value }));
    const asking = () => ask("explain", { method: "POST", query: { target }, body: { first, second }, accept: "text/html" });
    return during(place, asking, shown);
  }
  const given = sides.every((each) => each.id.value || each.text.value);
  const form = h("form", { class: "card", onsubmit: submit }, h("div", { class: "texts" }, sides.map((each) => each.element)),
    h("div", { class: "row" }, h("button", { class: "main", type: "submit" }, say("对比", "Compare"))));
  const folded = h("details", { class: "plain", open: !given }, h("summary", {}, say("文本", "Texts")), form);
  put(main, h("div", { class: "head" }, h("h1", {}, say("对比", "Compare")),
    h("p", {}, say("两段文本相同在哪里，为什么算或不算重复", "What two texts share, and why they are duplicates or not"))), folded, place);
  if (given) run();
}

/* The index of a key as collections name documents, INDEX|ID, for links that know no other. */
function indexOf(name) {
  return name && named(name).id && name.includes("|") ? name.split("|", 1)[0] : "";
}

/* A pair that is kept, by the id of its record: its two documents take its place in the address. */
function opened(main, target, pair) {
  const place = h("section");
  put(main, h("div", { class: "head" }, h("h1", {}, say("对比", "Compare"))), place);
  return during(place, () => ask(`matches/${encodeURIComponent(pair)}`, { query: { target } }), ({ first, second }) => {
    const [one, other] = [first, second].map((each) => `${each.index}|${each.id}`);
    const address = new URLSearchParams({ index: target, first: one, second: other });
    history.replaceState(null, "", `/_dupdex/console/compare?${address}`);
    show(main, [], address);
    return [];
  });
}

function side(name, id, text, at) {
  const words = at === 0 ? say("前者", "First") : say("后者", "Second");
  const name_ = h("input", { value: id || "", dir: "auto" });
  const area = h("textarea", { dir: "auto", rows: 5 });
  area.value = text;
  const element = h("div", { class: "row" }, h("label", {}, say(`${words}：文档编号或网址`, `${words}: id or address of a document`), name_), h("label", { class: "whole" }, say("或文本", "or a text"), area));
  return { name, id: name_, text: area, element };
}

/* The comparison in a page of ours: its main part and what it says at the top. What is on that page
   is escaped where it is written, and scripts that come this way never run. */
export function shown(page) {
  // Its own style would be refused, and is not needed: the console has the same rules.
  const bare = page.replace(/<style>[\s\S]*?<\/style>/, "");
  const read = new DOMParser().parseFromString(bare, "text/html");
  const headline = read.querySelector("header .verdict");
  const parts = [...read.querySelector("main").children].map((each) => document.importNode(each, true));
  return [headline ? h("h2", { class: `headline ${headline.classList.contains("yes") ? "near" : "none"}` }, [...headline.children].map((each) => document.importNode(each, true))) : null, parts];
}
