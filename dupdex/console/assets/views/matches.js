/* Matches: the verified pairs that an index keeps, with what people decided about them. */
import { ask } from "../api.js";
import { go } from "../navigation.js";
import { h, pair as both, put } from "../dom.js";
import { ago, at, percent, similarity } from "../format.js";
import { verdict } from "../parts/matches.js";
import { DECISIONS as DECIDED } from "../parts/review_figures.js";
import { indexInUse, say } from "../preferences.js";
import { may } from "../session.js";
import { during, empty, tell } from "../states.js";

const DECISIONS = () => [["", say("全部", "All")], ["undecided", say("未判定", "Undecided")], ["duplicate", say("判为重复", "Duplicate")], ["not-duplicate", say("判为不重复", "Not a duplicate")]];
const VERDICTS = () => [["", say("全部", "All")], ["exact", say("完全相同", "Exact")], ["near", say("近似", "Near")], ["partial", say("部分", "Partial")]];

export function show(main, _parts, query) {
  const target = query.get("index") || indexInUse();
  const place = h("section");
  const wanted = { verdict: query.get("verdict"), decision: query.get("decision"), of: query.get("of"), since: query.get("since") };
  const select = (name, choices, label) => h("label", {}, label, h("select", { name, onchange: (event) => turn({ [name]: event.target.value }) },
    choices.map(([value, words]) => h("option", { value, selected: value === (wanted[name] || "") }, words))));
  const turn = (change) => go(`matches?${new URLSearchParams(Object.entries({ index: target, ...wanted, ...change }).filter(([, value]) => value))}`);
  const of = h("input", { value: wanted.of || "", dir: "auto" });
  put(main, h("div", { class: "head" }, h("h1", {}, say("匹配", "Matches")), h("p", {}, say("验证过并保存的重复对", "Verified pairs, as the index keeps them"))),
    h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); turn({ of: of.value.trim() }); } },
      select("verdict", VERDICTS(), say("判定", "Verdict")), select("decision", DECISIONS(), say("人工判定", "Decision")),
      h("label", {}, say("涉及文档", "Of a document"), of), h("button", { type: "submit" }, say("筛选", "Filter"))), place);
  const body = h("tbody");
  const more = h("button", { type: "button" }, say("更多", "More"));
  async function page(after) {
    const found = await ask("matches", { query: { target, ...wanted, size: 50, after } });
    body.append(...found.matches.map((each) => line(each, target)));
    more.hidden = !found.next;
    more.onclick = () => page(found.next);
    return found;
  }
  return void during(place, () => page(), (found) => found.matches.length
    ? [h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, heads())), body)), more]
    : empty("没有这样的匹配。", "No pairs are kept that are like this.", h("code", {}, "dupdex sweep")));
}

const heads = () => [say("判定", "Verdict"), say("相似度", "Similarity"), say("文档", "Documents"), say("发现", "Found"), say("人工判定", "Decision"), ""]
  .map((words) => h("th", { scope: "col" }, words || h("span", { class: "hidden" }, say("操作", "Actions"))));

function line(pair, target) {
  const { first, second } = pair;
  const decided = h("td", {}, DECIDED()[pair.decision] || "–");
  const decide = async (decision) => {
    try {
      await ask("decisions", { method: "POST", query: { target }, body: { first: first.id, second: second.id, decision } });
      put(decided, DECIDED()[decision] || "–");
      tell(say("已记录。", "Kept."));
    } catch (error) {
      tell(error.message);
    }
  };
  const button = (decision, words) => h("button", { type: "button", class: "plain", onclick: () => decide(decision) }, words);
  const number = pair.verdict === "partial" ? percent(Math.max(pair.first_share || 0, pair.second_share || 0)) : similarity(pair.similarity);
  return h("tr", {}, h("td", {}, verdict(pair.verdict)), h("td", { class: "number" }, number),
    h("td", {}, h("a", { class: "id", href: `/_dupdex/console/compare?${new URLSearchParams({ index: target, first: first.id, second: second.id })}` }, both(first.id, second.id))),
    h("td", { title: at(pair.found) }, ago(pair.found)), decided,
    h("td", {}, may("review") && [button("duplicate", say("重复", "Duplicate")), button("not-duplicate", say("不重复", "Not")), button("undo", say("撤销", "Undo"))]));
}
