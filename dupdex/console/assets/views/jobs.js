/* Jobs: what ran on an index, and what runs now. */
import { ask } from "../api.js";
import { h, put } from "../dom.js";
import { ago, at, count } from "../format.js";
import { indexInUse, say } from "../preferences.js";
import { may } from "../session.js";
import { during, empty, tell } from "../states.js";

const EVERY = 3000;
const STATES = () => ({ running: say("运行中", "running"), done: say("完成", "done"), failed: say("失败", "failed"), interrupted: say("中断", "interrupted"), cancelled: say("已取消", "cancelled") });

export function show(main, _parts, query) {
  const target = query.get("index") || indexInUse();
  const place = h("section");
  const reading = () => ask("jobs", { query: { target, size: 100 } });
  const again = async (path, words, body) => {
    try {
      await ask(path, { method: "POST", query: { target }, body });
      tell(words);
      put(place, draw(await reading()));
    } catch (error) {
      tell(error.message);
    }
  };
  put(main, h("div", { class: "head" }, h("h1", {}, say("任务", "Jobs")), h("p", {}, say("遍历整个索引的工作", "Work that goes through a whole index"))),
    may("admin") && h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: () => again("sweep", say("已开始全库比对。", "A sweep has begun."), {}) }, say("全库比对", "Sweep now"))), place);
  const draw = (found) => found.jobs.length ? h("div", { class: "scroll" }, table(found.jobs, again)) : empty("还没有运行过任务。", "Nothing has run yet.");
  during(place, reading, draw);
  const clock = setInterval(async () => {
    if (document.hidden || !place.querySelector('[data-state="running"]')) return;
    try { put(place, draw(await reading())); } catch (error) { /* the next turn asks again */ }
  }, EVERY);
  return () => clearInterval(clock);
}

function table(runs, again) {
  const heads = [say("任务", "Job"), say("状态", "State"), say("开始", "Began"), say("用时", "Took"), say("计数", "Counts"), ""];
  return h("table", {}, h("thead", {}, h("tr", {}, heads.map((words) => h("th", { scope: "col" }, words || h("span", { class: "hidden" }, say("操作", "Actions")))))),
    h("tbody", {}, runs.map((run) => h("tr", { "data-state": run.state }, h("td", {}, run.job), h("td", {}, STATES()[run.state] || run.state, run.error ? h("p", { class: "small soft" }, run.error) : null),
      h("td", { title: at(run.started) }, ago(run.started)), h("td", { class: "number" }, run.seconds === null ? "–" : `${count(Math.round(run.seconds * 10) / 10)} s`),
      h("td", { class: "small" }, Object.entries(run.counts).map(([name, value]) => `${name} ${typeof value === "number" ? count(value) : value}`).join(", ")),
      h("td", {}, !may("admin") ? null : run.state === "running"
        ? h("button", { type: "button", class: "plain", onclick: () => again(`jobs/${encodeURIComponent(run.id)}/cancel`, say("正在停止。", "It is told to stop.")) }, say("取消", "Cancel"))
        : h("button", { type: "button", class: "plain", onclick: () => again(`jobs/${encodeURIComponent(run.id)}/run`, say("已重新开始。", "It has begun again.")) }, say("再次运行", "Run again")))))));
}
