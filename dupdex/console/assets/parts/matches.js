/* Matches of an answer, and what it covers. */
import { apart, h } from "../dom.js";
import { begun, count, DIRECTIONS, percent, similarity, VERDICTS } from "../format.js";
import { DECISIONS } from "./review_figures.js";
import { say } from "../preferences.js";

export const verdict = (name) => h("span", { class: `verdict ${name || "none"}` }, VERDICTS()[name || "none"]);

/* A share of 1 as a bar with its number. */
export function bar(value, words) {
  const inner = h("span");
  inner.style.width = `${Math.round((value || 0) * 100)}%`;
  return h("span", { class: "measure" }, h("span", { class: "share", "aria-hidden": "true" }, inner), " ",
    h("span", { class: "number" }, words || similarity(value)));
}

/* The title of a stored document, or its id. */
export function nameOf(match) {
  const title = match.document && Object.values(match.document).find((each) => typeof each === "string" && each.length < 200);
  return title || match.id;
}

export function excerpt(document, most = 160) {
  const texts = Object.values(document || {}).filter((each) => typeof each === "string");
  const longest = texts.sort((one, other) => other.length - one.length)[0] || "";
  return begun(longest, most);
}

/* One match: verdict, measures, direction, facts that differ, keys that met. `links` and `more`:
   elements at its top and its end. */
export function match(found, links = [], more = null) {
  const facts = (found.facts_differ || []).map((fact) => h("li", { dir: "auto" }, h("del", {}, apart(fact.asked)), " → ", h("ins", {}, apart(fact.stored))));
  const keys = Object.entries(found.evidence.keys || {}).map(([field, terms]) => `${field} ${count(terms.length ?? terms)}`);
  return h("li", { class: "card match" },
    h("div", { class: "row" }, verdict(found.verdict),
      bar(found.similarity, say(`相似度 ${similarity(found.similarity)}`, `similarity ${similarity(found.similarity)}`)),
      h("span", { class: "id", dir: "auto" }, found.id),
      h("span", { class: "soft small" }, found.index),
      h("span", { class: "links" }, links)),
    h("p", { class: "soft", dir: "auto" }, excerpt(found.document)),
    h("p", { class: "small soft" },
      [
        found.share === null ? null : say(`查询文本的 ${percent(found.share)} 在其中`, `${percent(found.share)} of the asked text is in it`),
        found.stored_share === null ? null : say(`其 ${percent(found.stored_share)} 在查询文本中`, `${percent(found.stored_share)} of it is in the asked text`),
        found.direction ? DIRECTIONS()[found.direction] : null,
        found.template ? say("同一模板的不同填写", "both fill in one form") : null,
        found.decided ? say(`人工判定：${DECISIONS()[found.decided]}`, `decided: ${DECISIONS()[found.decided]}`) : null,
        keys.length ? say(`共有键：${keys.join("，")}`, `keys in common: ${keys.join(", ")}`) : null,
      ].filter(Boolean).join(" · ")),
    found.facts_total
      ? h("div", { class: "differ" }, h("strong", {}, say(`${count(found.facts_total)} 处事实不同`, `${count(found.facts_total)} facts differ`)), h("ul", {}, facts))
      : null,
    more);
}

/* What an answer covers, and what it does not. */
export function coverage(completeness) {
  const covered = [
    say(`候选 ${count(completeness.candidates)}，逐字比对 ${count(completeness.examined)}`, `${count(completeness.candidates)} candidates, ${count(completeness.examined)} compared by their text`),
    completeness.from_stored && say(`${count(completeness.from_stored)} 个仅凭存储值判定`, `${count(completeness.from_stored)} judged by stored values alone`),
  ].filter(Boolean);
  const missing = [
    completeness.truncated && say("还有更多文档有相同的键，没有查看", "more documents share a key than were looked at"),
    completeness.undecided && say(`${count(completeness.undecided)} 个无法凭存储值判定`, `${count(completeness.undecided)} could not be decided by stored values`),
    completeness.rare_only && say("只共有常见键的文档已略去", "documents that share only frequent keys were left out"),
    completeness.frequent_keys && say(`${count(completeness.frequent_keys)} 个键过于常见，没有作用`, `${count(completeness.frequent_keys)} keys are in too many documents to have a say`),
    completeness.boilerplate && say(`${count(completeness.boilerplate)} 字为套话，不计`, `${count(completeness.boilerplate)} letters of boilerplate had no say`),
    completeness.widespread && say(`${count(completeness.widespread)} 个匹配因内容过于常见而略去`, `${count(completeness.widespread)} matches left out: what they share is in many unrelated documents`),
    completeness.templates && say(`${count(completeness.templates)} 个同模板的文档已略去`, `${count(completeness.templates)} fillings of the same form left out`),
    completeness.decided && say(`${count(completeness.decided)} 个经人工判为不重复，已略去`, `${count(completeness.decided)} left out, as people decided that they are no duplicates`),
  ].filter(Boolean);
  return h("details", { class: "card", open: missing.length > 0 }, h("summary", {}, say("这个答案涵盖什么，不涵盖什么", "What this answer covers, and what it does not")),
    h("h3", {}, say("已涵盖", "Covered")), h("ul", {}, covered.map((line) => h("li", {}, line))),
    h("h3", {}, say("未涵盖", "Not covered")),
    missing.length ? h("ul", { class: "missing" }, missing.map((line) => h("li", {}, line))) : h("p", {}, say("凡有共同键的文档都已查看。", "Every document that shares a key was looked at.")),
    h("p", { class: "soft small", lang: "en" }, completeness.guarantee));
}
