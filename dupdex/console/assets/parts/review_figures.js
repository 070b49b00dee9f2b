/* What reviewers did: tiles, and a table with pairs about which two of them disagree. */
import { ask } from "../api.js";
import { h, pair } from "../dom.js";
import { ago, at, count, percent } from "../format.js";
import { say } from "../preferences.js";

/* Decisions of today, as the reader's clock has it. */
export const figuresOf = (target) => {
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  return ask("review/figures", { query: { target, since: midnight.toISOString() } });
};

export const DECISIONS = () => ({ duplicate: say("重复", "duplicate"), "not-duplicate": say("不重复", "not a duplicate") });

export function tiles(figures) {
  const mine = figures.reviewers.filter((each) => each.per_hour !== null);
  const pace = mine.length ? mine.reduce((sum, each) => sum + each.per_hour, 0) / mine.length : null;
  return h("ul", { class: "tiles" },
    tile(count(figures.left), say("对待复核", "pairs to review")), tile(count(figures.held), say("对正在复核", "before a reviewer")),
    tile(count(figures.since), say("今天已判定", "decided today")),
    tile(pace === null ? "–" : count(Math.round(pace)), say("每人每小时", "an hour and reviewer")),
    tile(percent(figures.agreement), say(`一致率（${count(figures.twice)} 对有第二意见）`, `agreement, ${count(figures.twice)} pairs decided twice`)));
}

const tile = (value, words) => h("li", {}, h("b", {}, value), words);

export function more(figures, target) {
  const heads = [say("复核人", "Reviewer"), say("判定", "Decisions"), say("今天", "Today"), say("每小时", "An hour"), say("判为重复", "Duplicates")];
  const rows = figures.reviewers.map((each) => [each.reviewer || say("（未署名）", "(no name)"), count(each.decisions), count(each.since),
    each.per_hour === null ? "–" : count(Math.round(each.per_hour)), percent(each.duplicates / each.decisions)]);
  return h("details", { class: "card" }, h("summary", {}, say("速度与一致率", "Throughput and agreement")),
    rows.length ? h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map((words, place) => h("th", { scope: "col", class: place ? "number" : null }, words)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((value, place) => h("td", { class: place ? "number" : null, dir: place ? null : "auto" }, value)))))))
      : h("p", { class: "soft" }, say("还没有人做过判定。", "Nobody has decided anything yet.")),
    figures.disagreements.length ? [h("h3", {}, say("意见不一的对", "Pairs about which reviewers disagree")), h("ul", {}, figures.disagreements.map((each) => apart(each, target)))] : null);
}

const apart = (each, target) => h("li", {},
  h("a", { class: "id", dir: "auto", href: `/_dupdex/console/compare?${new URLSearchParams({ index: target, first: each.first.id, second: each.second.id })}` }, pair(each.first.id, each.second.id)),
  h("span", { class: "soft small", title: at(each.at) }, " ", each.reviewers.map((name, place) => `${name}: ${DECISIONS()[each.decisions[place]]}`).join(" · "), " · ", ago(each.at)));
