/* Report: what the duplicates of an index look like as a whole; each figure leads to its list. */
import { address, ask } from "../api.js";
import { go } from "../navigation.js";
import { h, put } from "../dom.js";
import { at, count, percent } from "../format.js";
import { sections } from "../parts/report_sections.js";
import { indexInUse, isChinese, say } from "../preferences.js";
import { during, empty } from "../states.js";

const CHOICES = ["date_field", "source_field", "kind_field", "every", "top"];
const EVERY = () => [["", say("自动", "by itself")], ["day", say("天", "day")], ["week", say("周", "week")], ["month", say("月", "month")], ["year", say("年", "year")]];
const TABLES = ["over_time", "by_source", "by_kind", "sizes", "most_copied", "flows", "fastest", "chains", "pairs", "schemes", "boilerplate"];

export function show(main, parts, query) {
  const target = query.get("index") || indexInUse();
  const chosen = Object.fromEntries(CHOICES.map((name) => [name, query.get(name)]).filter(([, value]) => value));
  const place = h("section");
  const to = addresses(target, chosen);
  if (parts[0] === "groups") return behind(main, place, query, target, chosen, to);
  const field = (name, words, hint) => h("label", {}, words, h("input", { name, value: chosen[name] || "", placeholder: hint, dir: "auto", spellcheck: "false" }));
  const every = h("select", { name: "every" }, EVERY().map(([value, words]) => h("option", { value, selected: value === (chosen.every || "") }, words)));
  const form = h("form", { class: "row", onsubmit: submit }, field("date_field", say("时间字段（默认写入时间）", "Field of times (when written)"), "published"),
    field("source_field", say("来源字段", "Field of sources"), "source"), field("kind_field", say("类别字段", "Field of kinds"), "category"),
    h("label", {}, say("每", "Every"), every), h("button", { class: "main", type: "submit" }, say("生成报告", "Report")));
  function submit(event) {
    event.preventDefault();
    const values = [...new FormData(form)].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value);
    go(`report?${new URLSearchParams([["index", target], ...values])}`);
  }
  put(main, h("div", { class: "head" }, h("h1", {}, say("报告", "Report")), h("p", {}, say("整个索引里的重复情况；每个数字都通向它背后的列表", "The duplicates of the whole index; each figure leads to the list behind it"))), form, place);
  return void during(place, () => ask("reports", { query: { target, ...chosen } }), (report) => drawn(report, target, chosen, to));
}

function addresses(target, chosen) {
  const console_ = (path, values) => `/_dupdex/console/${path}?${new URLSearchParams(Object.entries({ index: target, ...values }).filter(([, value]) => value !== null && value !== undefined && value !== ""))}`;
  return {
    behind: (figure) => console_("report/groups", { ...chosen, ...figure }),
    group: (id) => console_(`groups/${encodeURIComponent(id)}`),
    matches: (wanted) => console_("matches", wanted),
    compare: (first, second) => console_("compare", { first, second }),
    report: () => console_("report", chosen),
  };
}

function drawn(report, target, chosen, to) {
  const { total } = report;
  if (!total.documents) return empty("索引里还没有文档。", "The index has no documents yet.", h("code", {}, "dupdex index"));
  const pairs = report.pairs.reduce((sum, each) => sum + each.pairs, 0);
  const tile = (value, words, href) => h("li", {}, h("b", {}, href ? h("a", { href }, value) : value), words);
  const all = to.behind({ part: "size" });
  const found = sections(report, to, go);
  return [
    h("ul", { class: "tiles" }, tile(count(total.documents), say("篇文档", "documents")), tile(count(total.copies), say("篇副本", "copies"), all), tile(percent(total.rate, 1), say("重复率", "duplicate rate"), all),
      tile(count(report.groups), say("个重复组", "groups"), all), tile(count(report.largest), say("最大组的成员", "in the largest group"), to.behind({ part: "size", least: Math.max(report.largest, 2) })), tile(count(pairs), say("对已验证", "verified pairs"), to.matches({}))),
    exports_(report, target, chosen),
    found.length ? h("div", { class: "parts" }, found) : empty("还没有可报告的重复。", "There are no duplicates to report yet.", h("code", {}, "dupdex sweep")),
    h("p", { class: "soft small" }, say(`生成于 ${at(report.made)}，读到上次刷新为止`, `made ${at(report.made)}, as of the last refresh`)),
  ];
}

function exports_(report, target, chosen) {
  const file = (path, words, more) => h("a", { class: "button", href: address(path, { target, ...chosen, ...more }).href, download: "" }, words);
  const tables = TABLES.filter((name) => report[name].length);
  return h("div", { class: "row exports", role: "group", "aria-label": say("导出", "Export") }, file("reports", say("网页（单个文件）", "HTML, one file"), { form: "html", lang: isChinese() ? "zh" : "en" }), file("reports", "JSON", { form: "json" }),
    h("details", {}, h("summary", {}, "CSV"), h("ul", { class: "row list" }, tables.map((name) => h("li", {}, file(`reports/${name}.csv`, `${name}.csv`))))));
}

const PARTS = () => ({ time: say("时间", "Period"), source: say("来源", "Source"), kind: say("类别", "Kind"), size: say("组的大小", "Size") });

/* The groups behind one figure. */
function behind(main, place, query, target, chosen, to) {
  const part = query.get("part") || "size";
  const figure = Object.fromEntries(["value", "original", "least", "most"].map((name) => [name, query.get(name)]).filter(([, value]) => value !== null));
  const size = [figure.least, figure.most].filter(Boolean).join("–");
  const name = part === "size" ? (size ? say(`${size} 个成员`, `${size} members`) : say("全部", "all")) : (figure.value ?? say("（无）", "(none)"));
  put(main, h("div", { class: "head" }, h("h1", {}, say("数字背后的组", "Groups behind a figure")), h("p", { dir: "auto" }, `${PARTS()[part] || part}: ${name}`, figure.original ? ` ← ${figure.original}` : "")),
    h("p", {}, h("a", { href: to.report() }, say("回到报告", "Back to the report"))), place);
  return void during(place, () => ask("reports/groups", { query: { target, ...chosen, part, ...figure, size: 200 } }), (found) => found.total
    ? [h("p", { class: "soft" }, say(`共 ${count(found.total)} 组，${count(found.documents)} 篇文档`, `${count(found.total)} groups, ${count(found.documents)} documents`)),
      h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, say("组", "Group")), h("th", { scope: "col" }, say("代表文档", "Canonical")), h("th", { scope: "col", class: "number" }, say("成员", "Members")), h("th", { scope: "col", class: "number" }, say("其中属于此数字", "Of this figure")))),
        h("tbody", {}, found.groups.map((each) => h("tr", {}, h("td", {}, h("a", { class: "id", dir: "auto", href: to.group(each.id) }, each.id)), h("td", { class: "id", dir: "auto" }, each.canonical?.id ?? "–"), h("td", { class: "number" }, count(each.size)), h("td", { class: "number" }, count(each.documents)))))))]
    : empty("没有这样的组。", "There are no such groups."));
}
