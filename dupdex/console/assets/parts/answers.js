/* Answers about many texts, one row each. */
import { ask } from "../api.js";
import { h } from "../dom.js";
import { count, similarity } from "../format.js";
import { say } from "../preferences.js";
import { verdict } from "./matches.js";

const BATCH = 50;

/* A table that fills while texts are asked about, until `stop` is called. `look`: what is done to see
   one of them alone. */
export function many(read, body, target, look) {
  const rows = h("tbody"), told = h("p", { role: "status" });
  const counts = { done: 0, copies: 0, ended: false };
  const { documents, left, unread } = read;
  const say_ = () => {
    told.textContent = say(
      `已查 ${count(counts.done)} / ${count(documents.length)} 篇，其中 ${count(counts.copies)} 篇有重复`,
      `${count(counts.done)} of ${count(documents.length)} texts asked about; ${count(counts.copies)} have copies`,
    );
  };
  say_();
  const notes = [
    unread ? say(`${count(unread)} 行读不出文本，已略过。`, `${count(unread)} lines hold no text that could be read.`) : "",
    left ? say(`另有 ${count(left)} 篇没有查；请用 dupdex check --file。`, `${count(left)} more were not asked about: use 'dupdex check --file'.`) : "",
  ].filter(Boolean);
  const heads = [say("文档", "Document"), say("判定", "Verdict"), say("最相似", "Most similar"), say("相似度", "Similarity")];
  const table = h("table", {}, h("thead", {}, h("tr", {}, heads.map((words) => h("th", { scope: "col" }, words)))), rows);
  const asking = (async () => {
    for (let at = 0; at < documents.length && !counts.ended; at += BATCH) {
      const part = documents.slice(at, at + BATCH);
      const { answers } = await ask("check", { method: "POST", query: { target }, body: { ...body, size: 1, texts: part.map(({ id, text }) => ({ id, text })) } });
      answers.forEach((answer, place) => {
        rows.append(row(answer, part[place], look));
        counts.copies += answer.duplicate ? 1 : 0;
      });
      counts.done += part.length;
      say_();
    }
  })();
  asking.catch(() => {}); // told by who waits for it
  return { parts: [told, notes.map((words) => h("p", { class: "soft" }, words)), h("div", { class: "scroll tall", tabindex: 0 }, table)], asking, stop: () => { counts.ended = true; } };
}

function row(answer, { id, text }, look) {
  const best = answer.matches && answer.matches[0];
  return h("tr", {},
    h("td", {}, h("button", { type: "button", class: "plain id", dir: "auto", onclick: () => look(text) }, id)),
    h("td", {}, answer.code ? h("span", { class: "soft" }, answer.detail) : verdict(best && best.verdict)),
    h("td", { class: "id", dir: "auto" }, best ? best.id : "–"),
    h("td", { class: "number" }, best ? similarity(best.similarity) : "–"));
}
