/* Health: what the index is, what a document costs, what the plan finds, and what is wrong. */
import { ask } from "../api.js";
import { h, put } from "../dom.js";
import { ago, at, bytes, count, percent } from "../format.js";
import { indexInUse, say } from "../preferences.js";
import { during } from "../states.js";

const FAULTS = () => ({
  ungrouped: [say("还没有文档被分组", "documents were never put into groups"), "dupdex group"],
  other_plan: [say("篇文档的存储值属于另一方案", "documents have stored values of another plan"), "dupdex rebuild"],
  no_plan: [say("篇文档没有存储值", "documents have no stored values"), "dupdex attach"],
  not_learned: [say("篇文档，却还没有学习套话", "documents, and no boilerplate was learned"), "dupdex learn"],
  failed_run: [say("个任务上次运行失败", "jobs failed in their last run"), "dupdex jobs"],
});
const STATES = () => ({ running: say("运行中", "running"), done: say("完成", "done"), failed: say("失败", "failed"), interrupted: say("中断", "interrupted"), cancelled: say("已取消", "cancelled") });

const LABELS = {
  "same text": "相同文本",
  "simhash blocks": "simhash 分块",
  "character bands": "字的频段",
  "sound bands": "读音的频段",
  passages: "段落",
  sentences: "句子",
  "loose windows": "宽松窗口",
  "initial windows": "首字母窗口",
  "mid-frequency words": "中频词",
  "projection blocks": "投影分块",
};
const labelled = (label) => say(LABELS[label] || label, label);
const POLICIES = () => ({ first: say("最早见到的为代表", "the first seen stands for a group"), earliest: say("时间最早的为代表", "the earliest stands for a group"), longest: say("最长的为代表", "the longest stands for a group"), authority: say("来源排位最前的为代表", "the first authority stands for a group") });

export function show(main, _parts, query) {
  const target = query.get("index") || indexInUse();
  const place = h("section");
  put(main, h("div", { class: "head" }, h("h1", {}, say("状态", "Health")), h("p", {}, say("索引与方案", "Index and plan"))), place);
  return void during(place, () => ask("health", { query: { target } }), (state) => drawn(state, target));
}

function drawn(state, target) {
  const { health } = state;
  const tile = (value, words) => h("li", {}, h("b", {}, value), words);
  const others = health.problems.filter((each) => each.fault === "other_plan").reduce((sum, each) => sum + each.count, 0);
  return [
    h("ul", { class: "tiles" }, tile(count(health.documents), say("篇文档", "documents")), tile(health.size === null ? "–" : bytes(health.size), say("索引大小", "size of the index")),
      tile(state.bytes_per_document === null ? "–" : count(Math.round(state.bytes_per_document)), say("字节一篇（含原文）", "bytes a document, its text included")), tile(count(state.planned_bytes), say("字节一篇（方案预计，不含原文）", "bytes a document by the plan, without its text")),
      tile(count(health.notices), say("句套话", "sentences of boilerplate")), tile(count(others), say("篇文档属于另一方案", "documents of another plan"))),
    problems(health),
    h("dl", { class: "card" }, target ? [h("dt", {}, say("索引", "Index")), h("dd", { class: "id", dir: "auto" }, target)] : null, h("dt", {}, say("存储", "Store")), h("dd", {}, `${health.store} ${health.version}`), h("dt", {}, say("方案", "Plan")), h("dd", { class: "id" }, health.plan),
      h("dt", {}, say("算法", "Schemes")), h("dd", {}, health.schemes.join(", ")), h("dt", {}, say("分组", "Groups")), h("dd", {}, POLICIES()[health.group_policy] ?? health.group_policy ?? say("不分组", "not kept")),
      h("dt", {}, say("套话学自", "Boilerplate learned from")), h("dd", {}, say(`${count(health.learned_from)} 篇文档`, `${count(health.learned_from)} documents`))),
    part("fields", say("每个字段的键", "Keys, field by field"), say(`常见键：在超过 ${count(state.hot)} 篇文档里出现，单独没有发言权；抽查了 ${count(state.sampled)} 篇文档`, `frequent keys are in over ${count(state.hot)} documents and have no vote by themselves; of ${count(state.sampled)} sampled documents`),
      [say("字段", "Field"), say("键/篇", "Keys a document"), say("字节/篇", "Bytes a document"), say("常见键占比", "Frequent keys")], state.fields.map((each) => [[labelled(each.label), h("p", { class: "id soft small" }, each.field)], count(each.keys), count(each.bytes), percent(each.frequent, 1)])),
    part("recall", say("召回预测", "Recall forecast"), say("按方案和现在的大小算出：两篇文本有多像时，至少有一个键相同的概率", "by the plan and the size now: the probability that two texts share a key, by how alike they are"),
      [say("算法", "Scheme"), say("布局", "Layout"), say("概率", "Probability"), say("建议布局", "Recommended")],
      state.promises.map((each) => [labelled(each.label), each.layout, h("ul", { class: "row plain-list" }, Object.entries(each.recall).map(([alike, value]) => h("li", {}, h("span", { class: "soft" }, alike), " ", percent(value, 1)))), each.recommended]), [1, 2, 3]),
    state.frequent.length ? part("frequent", say("最常见的键", "Most frequent keys"), "", [say("字段", "Field"), say("文档", "Documents"), say("键", "Key")], state.frequent.map((each) => [each.field, count(each.documents), h("code", {}, each.key)]), [2]) : null,
    state.boilerplate.length ? part("boilerplate", say("学到的套话", "Boilerplate that was learned"), "", [say("句子", "Sentence"), say("文档", "Documents")], state.boilerplate.map((each) => [h("span", { dir: "auto" }, each.text || "–"), count(each.documents)])) : null,
    health.runs.length ? part("runs", say("最近的任务", "Last jobs"), h("a", { href: `/_dupdex/console/jobs?${new URLSearchParams({ index: target })}` }, say("全部任务", "All jobs")), [say("任务", "Job"), say("状态", "State"), say("开始", "Began")], health.runs.map((run) => [run.job, STATES()[run.state] || run.state, h("span", { title: at(run.started) }, ago(run.started))]), [1, 2]) : null,
  ];
}

function problems(health) {
  if (!health.problems.length) return h("p", { class: "headline none" }, say("没有发现问题", "Nothing is wrong"));
  return h("div", { class: "card" }, h("h2", {}, say("需要处理", "What is wrong")), h("ul", {}, health.problems.map((each) => {
    const [words, command] = FAULTS()[each.fault] || [each.fault, ""];
    return h("li", {}, `${count(each.count)} ${words}`, command ? [": ", h("code", {}, command)] : null);
  })));
}

function part(key, title, about, heads, rows, words = []) {
  const number = (place) => (place && !words.includes(place) ? "number" : null);
  return h("section", { class: "card", id: key, "aria-labelledby": `${key}-title` }, h("h2", { id: `${key}-title` }, title), about ? h("p", { class: "soft small" }, about) : null,
    h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map((each, place) => h("th", { scope: "col", class: number(place) }, each)))), h("tbody", {}, rows.map((row) => h("tr", {}, row.map((value, place) => h("td", { class: number(place) }, value))))))));
}
