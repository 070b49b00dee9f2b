/* Groups: which documents belong together; and one group, with what joins it. */
import { ask } from "../api.js";
import { go } from "../navigation.js";
import { apart, h, pair, put } from "../dom.js";
import { ago, at, count, similarity } from "../format.js";
import { graph } from "../parts/graph.js";
import { confirmed } from "../parts/dialog.js";
import { verdict } from "../parts/matches.js";
import { DECISIONS } from "../parts/review_figures.js";
import { pages } from "../parts/pages.js";
import { timeline } from "../parts/timeline.js";
import { indexInUse, say } from "../preferences.js";
import { may } from "../session.js";
import { during, empty, tell } from "../states.js";

const SORTS = () => [["size", say("最大", "Largest")], ["newest", say("最新", "Newest")], ["spread", say("来源最广", "Most sources")]];

export function show(main, parts, query) {
  const target = query.get("index") || indexInUse();
  const place = h("section");
  if (parts.length) {
    put(main, h("div", { class: "head" }, h("h1", {}, say("重复组 ", "Group "), h("span", { class: "id", dir: "auto" }, parts[0]))), place);
    return one(place, parts[0], target);
  }
  return many(main, place, query, target);
}

function many(main, place, query, target) {
  const sort = query.get("sort") || "size";
  const chosen = (value, field) => go(`groups?${new URLSearchParams({ index: target, sort: value, ...(field ? { field } : {}) })}`);
  const field = h("input", { value: query.get("field") || "", placeholder: "source" });
  put(main, h("div", { class: "head" }, h("h1", {}, say("重复组", "Groups")), h("p", {}, say("属于同一内容的文档", "Documents that belong together"))),
    h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); chosen("spread", field.value); } },
      SORTS().slice(0, 2).map(([value, words]) => h("button", { type: "button", "aria-pressed": String(value === sort), onclick: () => chosen(value) }, words)),
      h("label", {}, say("按此字段的取值数", "By how many values of"), field), h("button", { type: "submit", "aria-pressed": String(sort === "spread") }, SORTS()[2][1])),
    place);
  const body = h("tbody");
  const more = h("button", { type: "button" }, say("更多", "More"));
  async function page(after) {
    const found = await ask("groups", { query: { target, sort, field: query.get("field"), size: 50, after } });
    body.append(...found.groups.map((group) => line(group, target)));
    more.hidden = !found.next;
    more.onclick = () => page(found.next);
    return found;
  }
  return void during(place, () => page(), (found) =>
    found.total === 0
      ? empty("没有两个及以上文档的组。", "No group has two documents.", h("code", {}, "dupdex sweep"))
      : [h("p", { class: "soft" }, say(`共 ${count(found.total)} 组`, `${count(found.total)} groups`)), h("div", { class: "scroll" }, table(body)), more]);
}

const table = (body) => h("table", {}, h("thead", {}, h("tr", {},
  h("th", { scope: "col" }, say("组", "Group")), h("th", { scope: "col" }, say("代表文档", "Canonical")),
  h("th", { scope: "col", class: "number" }, say("文档数", "Documents")), h("th", { scope: "col", class: "number" }, say("取值数", "Values")),
  h("th", { scope: "col" }, say("建立", "Made")), h("th", { scope: "col" }, say("变动", "Changed")))), body);

const line = (group, target) => h("tr", {},
  h("td", {}, h("a", { class: "id", dir: "auto", href: `/_dupdex/console/groups/${encodeURIComponent(group.id)}?index=${encodeURIComponent(target)}` }, group.id)),
  h("td", { class: "id", dir: "auto" }, group.canonical), h("td", { class: "number" }, count(group.size)),
  h("td", { class: "number" }, group.spread === null ? "–" : count(group.spread)),
  h("td", { title: at(group.made) }, ago(group.made)), h("td", { title: at(group.changed) }, ago(group.changed)));

function one(place, id, target) {
  const reading = () => ask(`groups/${encodeURIComponent(id)}`, { query: { target } });
  const change = async (path, body, words) => {
    try {
      await ask(path, { method: "POST", query: { target }, body });
    } catch (error) {
      return tell(error.message); // the group stays on the page
    }
    tell(words);
    return during(place, reading, draw);
  };
  function draw(group) {
    const chosen = new Set();
    const split = h("button", { type: "button", disabled: true, onclick: () => parted() }, say("移出选中的文档", "Take the chosen ones out"));
    const choose = (name, on) => {
      chosen[on ? "add" : "delete"](name);
      split.disabled = chosen.size === 0;
    };
    async function parted() {
      const words = say(`把 ${count(chosen.size)} 个文档移到单独的组？以后也不会再并回。`, `Put ${count(chosen.size)} documents into a group of their own, for good?`);
      if (await confirmed(words)) await change(`groups/${encodeURIComponent(group.id)}/split`, { ids: [...chosen] }, say("已移出。", "Taken out."));
    }
    const own = `groups/${encodeURIComponent(group.id)}`;
    const release = () => h("button", { type: "button", class: "plain", onclick: () => change(`${own}/release`, undefined, say("人工改动已全部取消。", "All corrections are released.")) },
      say("取消全部人工改动", "Release all corrections"));
    const undo = (last) => h("button", { type: "button", id: "undo", title: [at(last.at), last.by, last.why].filter(Boolean).join(" · "),
      onclick: () => change(`${own}/undo`, undefined, say("已撤销，恢复到之前的状态。", "Undone: it is as it was.")) },
      say(`撤销：${CORRECTIONS()[last.kind]}（${ago(last.at)}）`, `Undo: ${CORRECTIONS()[last.kind]} (${ago(last.at)})`));
    return [
      h("dl", {}, h("dt", {}, say("代表文档", "Canonical")), h("dd", {}, h("span", { class: "id", dir: "auto" }, group.canonical.id), " ", h("span", { class: "soft" }, apart(say(whyOf(group.why), group.why)))),
        h("dt", {}, say("文档数", "Documents")), h("dd", {}, count(group.size)),
        h("dt", {}, say("建立 / 变动", "Made / changed")), h("dd", {}, at(group.made), " / ", at(group.changed)),
        group.merged.length ? [h("dt", {}, say("并入的组", "Merged into it")), h("dd", { class: "id" }, group.merged.map((each, place) => [place ? ", " : "", apart(each)]))] : null),
      timeline(group.members, group.canonical.id),
      group.edges.length ? graph(group) : null,
      may("review") && h("div", { class: "row" }, split, merging(group, change),
        group.undoable ? undo(group.undoable) : null, group.members.some((each) => each.pinned) ? release() : null),
      members(group, target, choose, change),
      group.edges.length ? h("details", {}, h("summary", {}, say(`${count(group.edges.length)} 对相似文档`, `Similar pairs: ${count(group.edges.length)}`)), edges(group, target)) : null,
    ];
  }
  return void during(place, reading, draw);
}

const WHY = {
  "it is alone": "组内只有它",
  "not grouped since it was written": "写入后还没有分组",
  "chosen by hand": "人工选定",
  "the longest of those that are similar to all others": "与其他成员都相似的文档中最长的一篇",
  "the first seen of those that are similar to all others": "与其他成员都相似的文档中最早见到的一篇",
};

/* Why a document is the canonical one, in Chinese; some reasons name a field and its value. */
function whyOf(why) {
  const [, kind, field, value] = /^the (earliest|first authority) by (.+?) \((.*)\) of those/s.exec(why) || [];
  if (!kind) return WHY[why] || why;
  return kind === "earliest" ? `与其他成员都相似的文档中 ${field} 最早的一篇（${value}）` : `与其他成员都相似的文档中 ${field} 排位最前的一篇（${value}）`;
}

const CORRECTIONS = () => ({ merge: say("合并", "merge"), split: say("移出", "split"), canonical: say("设为代表", "choice of the canonical document"), release: say("取消人工改动", "release") });

/* Another group, by its id or by that of one of its documents, is put together with this one. */
function merging(group, change) {
  const other = h("input", { name: "other", dir: "auto", required: true });
  const words = say("两组已合并。", "The two groups are one.");
  const merge = (event) => {
    event.preventDefault();
    return change("groups/merge", { first: group.id, second: other.value.trim() }, words);
  };
  return h("form", { class: "row", onsubmit: merge }, h("label", {}, say("与另一组（组或文档的编号）", "Another group, or a document of it"), other),
    h("button", { type: "submit" }, say("合并", "Merge")));
}

function members(group, target, choose, change) {
  const canonical = (member) => change("groups/canonical", { id: member.id }, say("代表文档已更换。", "Another document stands for the group now."));
  const own = (member) => member.id === group.canonical.id;
  const { body, more } = pages(group.members, (member) => h("tr", {},
    h("td", {}, own(member) || !may("review") ? null : h("input", { type: "checkbox", "aria-label": say(`选择 ${member.id}`, `choose ${member.id}`), onchange: (event) => choose(member.id, event.target.checked) })),
    h("td", { class: "id", dir: "auto" }, member.id), h("td", { dir: "auto" }, member.title, member.pinned ? h("span", { class: "soft small" }, say("（人工）", " (by hand)")) : null),
    h("td", { title: at(member.indexed) }, ago(member.indexed)),
    h("td", {}, own(member) ? say("代表文档", "canonical")
      : [h("a", { href: comparison(group.canonical.id, member.id, target) }, say("对比", "Compare")), " ",
        may("review") && h("button", { type: "button", class: "plain", onclick: () => canonical(member) }, say("设为代表", "Make canonical"))])));
  const heads = h("tr", {}, h("th", { scope: "col" }, h("span", { class: "hidden" }, say("选择", "Choose"))), h("th", { scope: "col" }, say("编号", "Id")), h("th", { scope: "col" }, say("标题", "Title")),
    h("th", { scope: "col" }, say("写入", "Written")), h("th", { scope: "col" }, h("span", { class: "hidden" }, say("操作", "Actions"))));
  return [h("div", { class: "scroll" }, h("table", {}, h("thead", {}, heads), body)), more];
}

const comparison = (first, second, target) => `/_dupdex/console/compare?${new URLSearchParams({ index: target, first, second })}`;

function edges(group, target) {
  const { body, more } = pages(group.edges, (edge) => h("tr", {}, h("td", {}, edge.decision ? DECISIONS()[edge.decision] : verdict(edge.verdict)), h("td", { class: "number" }, similarity(edge.similarity)),
    h("td", {}, h("a", { class: "id", href: comparison(edge.first, edge.second, target) }, pair(edge.first, edge.second)))));
  const heads = h("tr", {}, h("th", { scope: "col" }, say("判定", "Verdict")), h("th", { scope: "col", class: "number" }, say("相似度", "Similarity")), h("th", { scope: "col" }, say("文档", "Documents")));
  return [h("div", { class: "scroll" }, h("table", {}, h("thead", {}, heads), body)), more];
}
