/* The parts of a report: what each counts, its table, its chart, and the list behind each figure. */
import { apart, h, pair } from "../dom.js";
import { at, count, percent, span } from "../format.js";
import { chart } from "./charts.js";
import { verdict } from "./matches.js";
import { DECISIONS } from "./review_figures.js";
import { say } from "../preferences.js";

const MOST = 15; // bars of a chart; the table below it has all
const rate = (value) => percent(value, 1);
const nobody = () => say("（无）", "(none)");
const cell = (value, href, words = value) => (href ? h("a", { href, dir: "auto" }, words) : h("span", { dir: "auto" }, words));

/* `to` makes addresses: `behind(figure)`, `group(id)`, `matches(wanted)`, `compare(first, second)`. */
export function sections(report, to, go) {
  const open = (rows, address) => (place) => go(address(rows[place]));
  const rates = (key, part, title, rows, across) => {
    const address = (each) => to.behind({ part, value: each.name });
    const seen = across ? rows.slice(0, MOST) : rows.filter((each) => each.name !== null);
    const others = { name: say("其余文档", "other documents"), values: seen.map((each) => each.documents - each.copies), colour: "line" };
    const copies = { name: say("副本", "copies"), values: seen.map((each) => each.copies), colour: "near" };
    const line = { name: say("重复率", "duplicate rate"), values: seen.map((each) => each.rate), colour: "accent", line: true, write: rate };
    return part_(key, title, [say("名称", "Name"), say("文档", "Documents"), say("副本", "Copies"), say("重复率", "Rate"), say("组内文档", "In groups")],
      rows.map((each) => [cell(each.name ?? nobody(), each.grouped ? address(each) : null), count(each.documents), count(each.copies), rate(each.rate), count(each.grouped)]),
      seen.length && { about: title, labels: seen.map((each) => each.name ?? nobody()), series: across ? [copies, others] : [line, copies, others], across, open: open(seen, address) });
  };
  return [
    rates("over_time", "time", say("重复率随时间的变化", "Duplicate rate over time"), report.over_time, false),
    rates("by_source", "source", say("来源", "Sources"), report.by_source, true),
    rates("by_kind", "kind", say("类别", "Kinds"), report.by_kind, true),
    part_("most_copied", say("被复制最多的原文", "Most copied originals"), [say("标题", "Title"), say("副本", "Copies"), say("来源", "Source"), say("来源数", "Sources"), say("时间", "Time")],
      report.most_copied.map((each) => [cell(each.title || each.document.id, to.group(each.group)), count(each.copies), apart(each.source ?? "–"), each.sources === null ? "–" : count(each.sources), each.time === null ? "–" : at(new Date(each.time).toISOString())]), null, [2, 4]),
    flows(report, to, open),
    fastest(report, to, open),
    sizes(report, to, open),
    part_("pairs", say("已验证的对", "Verified pairs"), [say("判定", "Verdict"), say("对", "Pairs"), say("人工判定", "Decision"), say("事实", "Facts"), say("模板", "Template")],
      report.pairs.map((each) => [h("a", { href: to.matches({ verdict: each.verdict, decision: each.decision || "undecided" }) }, verdict(each.verdict)), count(each.pairs), each.decision ? DECISIONS()[each.decision] : say("未判定", "undecided"),
        each.facts === "differ" ? say("不同", "differ") : each.facts === "same" ? say("相同", "same") : "–", each.template ? say("是", "yes") : "–"]), null, [2, 3, 4]),
    part_("chains", say("最长的复制链", "Longest chains"), [say("从 – 到", "From – to"), say("文档", "Documents"), say("组", "Groups")],
      report.chains.map((each) => [cell(each.documents[0].id, to.compare(each.documents[0].id, each.documents.at(-1).id), pair(each.documents[0].id, each.documents.at(-1).id)), count(each.documents.length), count(each.groups)])),
    part_("boilerplate", say("学到的套话", "Boilerplate that was learned"), [say("句子", "Sentence"), say("文档", "Documents")], report.boilerplate.map((each) => [each.text || "–", count(each.documents)])),
  ].filter(Boolean);
}

function flows(report, to, open) {
  const address = (each) => to.behind({ part: "source", value: each.copier, original: each.original });
  const seen = report.flows.slice(0, MOST), name = (each) => `${each.copier ?? nobody()} ← ${each.original ?? nobody()}`;
  return part_("flows", say("谁复制了谁", "Who copies whom"), [say("复制者 ← 原文来源", "Copier ← source of the original"), say("副本", "Copies"), say("组", "Groups")],
    report.flows.map((each) => [cell(name(each), each.original === null ? null : address(each), [apart(each.copier ?? nobody()), " ← ", apart(each.original ?? nobody())]), count(each.copies), count(each.groups)]),
    seen.length && { about: say("谁复制了谁", "Who copies whom"), labels: seen.map(name), series: [{ name: say("副本", "copies"), values: seen.map((each) => each.copies), colour: "near" }], across: true, open: open(seen, address) });
}

function fastest(report, to, open) {
  const address = (each) => to.behind({ part: "source", value: each.source });
  const seen = report.fastest.filter((each) => each.median !== null).slice(0, MOST);
  const words = (seconds) => (seconds === null ? "–" : span(seconds));
  return part_("fastest", say("最快的复制者", "Fastest copiers"), [say("来源", "Source"), say("延迟中位数", "Median delay"), say("最短", "Least"), say("复制的原文", "Originals"), say("早于原文", "Earlier than the original")],
    report.fastest.map((each) => [cell(each.source, address(each)), words(each.median), words(each.least), count(each.originals), count(each.earlier)]),
    seen.length && { about: say("延迟中位数", "Median delay"), labels: seen.map((each) => each.source), series: [{ name: say("延迟中位数", "median delay"), values: seen.map((each) => each.median), colour: "accent", write: span }], across: true, open: open(seen, address) });
}

function sizes(report, to, open) {
  const address = (each) => to.behind({ part: "size", least: each.least, most: each.most });
  const name = (each) => (each.most === null ? `≥ ${each.least}` : each.least === each.most ? String(each.least) : `${each.least}–${each.most}`);
  return part_("sizes", say("组的大小", "Sizes of groups"), [say("成员数", "Members"), say("组", "Groups"), say("文档", "Documents")],
    report.sizes.map((each) => [cell(name(each), address(each)), count(each.groups), count(each.documents)]),
    report.sizes.length && { about: say("组的大小", "Sizes of groups"), labels: report.sizes.map(name), series: [{ name: say("组", "groups"), values: report.sizes.map((each) => each.groups), colour: "accent" }], open: open(report.sizes, address) });
}

/* A part with its chart, and its table: folded where there is a chart. */
function part_(key, title, heads, rows, drawn, words = []) {
  if (!rows.length) return null;
  const number = (place) => (place && !words.includes(place) ? "number" : null);
  const body = h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map((each, place) => h("th", { scope: "col", class: number(place) }, each)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((value, place) => h("td", { class: number(place), dir: words.includes(place) ? "auto" : null }, value)))))));
  return h("section", { class: "card", id: key, "aria-labelledby": `${key}-title` }, h("h2", { id: `${key}-title` }, title), drawn ? chart(drawn) : null,
    drawn ? h("details", {}, h("summary", {}, say(`数字与列表（${count(rows.length)} 行）`, `Figures and lists (${count(rows.length)})`)), body) : body);
}
