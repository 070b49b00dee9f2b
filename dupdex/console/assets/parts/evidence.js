/* Why one stored document matches, asked for when somebody wants to see it: the shared passages where
   they stand in it, and the keys that met with how rare they are. */
import { ask } from "../api.js";
import { h, put } from "../dom.js";
import { begun, count, whole as letters } from "../format.js";
import { say } from "../preferences.js";
import { during } from "../states.js";

const SHOWN = 5, AROUND = 60, LONGEST = 400; // passages, and characters of and around each

/* `asked`: {text} or {id}, as it was asked; `found`: the match. */
export function evidence(asked, found, target) {
  const place = h("div", { class: "evidence" });
  const { id, url, text } = asked;
  const first = id ? { id } : url ? { url } : { text };
  const asking = () => ask("explain", { method: "POST", query: { target }, body: { first, second: { id: found.id } }, accept: "text/html" });
  let begun = false;
  const open = (event) => {
    if (!event.target.open || begun) return;
    begun = true;
    during(place, asking, drawn);
  };
  return h("details", { ontoggle: open }, h("summary", {}, say("共同段落与命中的键", "Shared passages and the keys that met")), place);
}

/* The parts of the comparison page that are about this: one implementation finds both. */
function drawn(page) {
  const read = new DOMParser().parseFromString(page.replace(/<style>[\s\S]*?<\/style>/, ""), "text/html");
  const links = [...read.querySelectorAll("#text-b .p:not(.on-from)")].sort((one, other) => one.dataset.n - other.dataset.n);
  const keys = read.querySelector(".keys details");
  return [
    links.length
      ? h("ol", { class: "passages" }, links.slice(0, SHOWN).map((link) => h("li", { dir: "auto" }, inPlace(link))))
      : h("p", { class: "soft" }, say("没有共同的长段落；相同之处较短或分散。", "No passage is shared; what is the same is short, or scattered.")),
    links.length > SHOWN ? h("p", { class: "soft small" }, say(`另有 ${count(links.length - SHOWN)} 段，见并排对比。`, `${count(links.length - SHOWN)} more: see them side by side.`)) : null,
    keys ? shownKeys(keys) : null,
  ];
}

/* A passage with a little of what stands around it; facts that differ stay marked. */
function inPlace(link) {
  const text = link.closest(".text"), whole = text.textContent;
  const before = text.ownerDocument.createRange();
  before.setStart(text, 0);
  before.setEndBefore(link);
  const start = before.toString().length, stop = start + link.textContent.length;
  const inside = link.textContent;
  return [
    h("span", { class: "soft" }, start > AROUND ? "…" : "", letters(whole.slice(Math.max(0, start - AROUND), start))),
    h("mark", {}, begun(inside, LONGEST)),
    h("span", { class: "soft" }, letters(whole.slice(stop, stop + AROUND)), whole.length > stop + AROUND ? "…" : ""),
  ];
}

function shownKeys(keys) {
  const part = document.importNode(keys, true);
  part.open = true;
  const rows = [...part.querySelectorAll("tbody tr")];
  rows.slice(20).forEach((row) => row.remove());
  return put(h("div", { class: "keys" }), part, rows.length > 20 ? h("p", { class: "soft small" }, say("列出其中 20 个。", "20 of them are listed.")) : null);
}
