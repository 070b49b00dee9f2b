/* Looking back: which stored documents would the entries of a bank have caught? */
import { ask } from "../api.js";
import { h, put } from "../dom.js";
import { ago, at, count, similarity } from "../format.js";
import { say } from "../preferences.js";
import { failed, tell } from "../states.js";
import { pathOf } from "./entries.js";
import { verdict } from "./matches.js";

const EVERY = 1500;
const MOST = 1000;
const STATES = () => ({ running: say("运行中", "running"), done: say("完成", "done"), failed: say("失败", "failed"), interrupted: say("中断", "interrupted"), cancelled: say("已取消", "cancelled") });

/* How many documents each entry has caught, by the last run; null before there was any. */
export async function caughtBy(bank) {
  const last = (await ask(pathOf(bank, "retro"))).jobs.find((each) => each.state === "done");
  if (!last) return null;
  const found = await ask(pathOf(bank, "retro", last.id, "hits"), { query: { size: MOST } });
  const counts = new Map();
  found.hits.forEach((each) => counts.set(each.entry, (counts.get(each.entry) || 0) + 1));
  return counts;
}

/* The last runs, one that is under way with its counts, and the documents of the last one. `ended`
   is called when a run has ended. Returns the part, and what ends it. */
export function lookingBack(bank, ended) {
  const runs = h("div", { "aria-live": "polite" }), hits = h("div");
  let clock = null;
  async function begin() {
    try {
      await ask(pathOf(bank, "retro"), { method: "POST", body: {} });
      tell(say("已开始回查。", "Looking back has begun."));
      await look();
    } catch (error) {
      tell(error.message);
    }
  }
  async function look(first = false) {
    clearTimeout(clock);
    try {
      const { jobs } = await ask(pathOf(bank, "retro"));
      const running = jobs.some((each) => each.state === "running");
      put(runs, jobs.length ? h("ul", { class: "list" }, jobs.slice(0, 5).map(line)) : h("p", { class: "soft" }, say("还没有回查过。", "Nobody has looked back yet.")));
      begun.disabled = running;
      if (running) clock = setTimeout(look, EVERY);
      else if (jobs.length) put(hits, await found(bank, jobs[0].id));
      if (!running && !first) await ended();
    } catch (error) {
      put(runs, failed(error));
    }
  }
  const begun = h("button", { type: "button", id: "look-back", onclick: begin }, say("回查已存文档", "Look back at what is stored"));
  const part = h("section", { class: "card" }, h("h2", {}, say("回查", "Looking back")), h("p", { class: "soft" }, say("已存的文档里，哪些本会被这些条目命中？", "Which stored documents would the entries have caught?")), h("div", { class: "row" }, begun), runs, hits);
  look(true);
  return [part, () => clearTimeout(clock)];
}

const line = (run) => h("li", { "data-state": run.state }, STATES()[run.state] || run.state, " · ", h("span", { title: at(run.started) }, ago(run.started)), " · ",
  Object.entries(run.counts).map(([name, value]) => `${name} ${typeof value === "number" ? count(value) : value}`).join(", "),
  run.state === "running" ? h("progress", { "aria-label": say("回查进度", "progress"), max: run.counts.of ?? null, value: run.counts.of ? run.counts.lookups : null }) : null,
  run.error ? h("p", { class: "soft small" }, run.error) : null);

async function found(bank, run) {
  const { hits, total } = await ask(pathOf(bank, "retro", run, "hits"), { query: { size: 100 } });
  if (!total) return h("p", {}, say("没有命中任何已存文档。", "No stored document is hit."));
  const heads = [say("文档", "Document"), say("条目", "Entry"), say("判定", "Verdict"), say("相似度", "Similarity")];
  return [h("p", { class: "soft" }, say(`共命中 ${count(total)} 篇`, `${count(total)} documents`)), h("div", { class: "scroll" }, h("table", { id: "hits" }, h("thead", {}, h("tr", {}, heads.map((words) => h("th", { scope: "col" }, words)))),
    h("tbody", {}, hits.map((each) => h("tr", {}, h("td", {}, h("a", { class: "id", dir: "auto", href: `/_dupdex/console/ask?${new URLSearchParams({ index: each.index, id: each.document })}` }, each.document), h("span", { class: "soft small" }, ` ${each.index}`)),
      h("td", { class: "id", dir: "auto" }, each.entry), h("td", {}, verdict(each.verdict), each.overruled ? say("（被放行）", " (overruled)") : ""), h("td", { class: "number" }, similarity(each.similarity)))))))];
}
