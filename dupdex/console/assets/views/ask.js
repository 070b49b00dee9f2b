/* Ask: which stored documents is a text, or a document, a copy of? */
import { ask } from "../api.js";
import { go } from "../navigation.js";
import { h, put } from "../dom.js";
import { count, similarity, VERDICTS } from "../format.js";
import { many } from "../parts/answers.js";
import { evidence } from "../parts/evidence.js";
import { documentsOf, KINDS_READ } from "../parts/files.js";
import { coverage, match } from "../parts/matches.js";
import { indexInUse, say } from "../preferences.js";
import { during, empty, failed, tell } from "../states.js";

const KEPT = "dupdex-asked";

export function show(main, _parts, query) {
  const answer = h("section", { "aria-label": say("结果", "Answer") });
  const target = query.get("index") || indexInUse();
  const text = h("textarea", { id: "text", dir: "auto", rows: 8, placeholder: say("粘贴文本，或把文件拖到这里", "Paste a text, or drop a file here") });
  text.value = query.get("id") ? "" : recalled();
  const id = h("input", { id: "id", value: query.get("id") || "", dir: "auto" });
  const options = optionsOf(query);
  let leave = () => {}; // stops what a file still asks for

  function run(body) {
    let asked;
    try {
      asked = { ...options.body(), ...body };
    } catch (error) {
      return void tell(error.message);
    }
    leave();
    const asking = () => ask("check", { method: "POST", query: { target }, body: asked });
    return during(answer, asking, (found) => shown(options.kept(found), target, body));
  }

  function submit(event) {
    event.preventDefault();
    if (!text.value.trim() && !id.value.trim()) return tell(say("先给出文本、编号或网址。", "Give a text, an id or an address first."));
    const address = new URLSearchParams({ index: target, ...options.words() });
    remember(text.value);
    if (!text.value.trim()) address.set("id", id.value.trim());
    history.replaceState(null, "", `/_dupdex/console/ask?${address}`);
    return run(text.value.trim() ? { text: text.value } : named(id.value.trim()));
  }

  async function take(chosen) {
    if (!chosen) return;
    try {
      const fields = await ask("info", { query: { target } }).then((info) => info.text_fields, () => ["text"]);
      const read = await documentsOf(chosen, fields);
      id.value = "";
      if (read.documents.length === 1 && !read.left) {
        text.value = read.documents[0].text;
        text.focus();
        return;
      }
      const alone = (words) => {
        text.value = words;
        form.requestSubmit();
        form.scrollIntoView();
      };
      leave();
      const { parts, asking, stop } = many(read, options.body(), target, alone);
      put(answer, parts);
      leave = stop;
      await asking;
    } catch (error) {
      answer.append(failed(error));
    }
  }

  const file = h("input", { type: "file", id: "file", onchange: () => take(file.files[0]) });
  const form = h("form", { class: "card", onsubmit: submit,
    ondragover: (event) => { event.preventDefault(); form.classList.add("drop"); },
    ondragleave: () => form.classList.remove("drop"),
    ondrop: (event) => { event.preventDefault(); form.classList.remove("drop"); take(event.dataTransfer.files[0]); } },
    h("label", { for: "text" }, say("文本", "Text"), text),
    h("div", { class: "row" },
      h("label", {}, say("或库中文档的编号或网址", "or the id or address of a stored document"), id),
      h("label", {}, say(`或文件：${KINDS_READ}`, `or a file: ${KINDS_READ}`), file)),
    h("div", { class: "row" }, options.fields, h("button", { class: "main", type: "submit" }, say("查重", "Ask"))));
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });

  put(main, h("div", { class: "head" }, h("h1", {}, say("查重", "Ask")),
    h("p", {}, say("这段文本是库中哪些文档的副本？", "Which stored documents is this text a copy of?"), " ", h("kbd", {}, "Ctrl"), " + ", h("kbd", {}, "Enter"))),
    form, answer);
  if (query.get("id")) run(named(query.get("id")));
  return () => leave();
}

/* The options of a question: fields of the form, the body of the request, words of the address. */
function optionsOf(query) {
  const threshold = h("input", { type: "number", min: 0, max: 1, step: 0.05, value: query.get("threshold") || "0" });
  const size = h("select", {}, [10, 20, 50, 100].map((each) => h("option", { value: each, selected: String(each) === query.get("size") }, each)));
  const kinds = [["", say("任何判定", "Any verdict")], ["exact", say("仅完全相同", "Exact only")], ["near", say("完全相同或近似", "Exact or near")]];
  const least = h("select", {}, kinds.map(([value, words]) => h("option", { value, selected: value === (query.get("verdicts") || "") }, words)));
  const filter = h("input", { value: query.get("filter") || "", dir: "ltr", placeholder: "source=news" });
  const all = h("input", { type: "checkbox", checked: query.get("all") === "yes" });
  const fields = [
    h("label", {}, say("相似度不低于", "Similarity at least"), threshold),
    h("label", {}, say("判定", "Verdicts"), least),
    h("label", {}, say("只看字段等于", "Only where a field is"), filter),
    h("label", {}, say("最多结果", "Matches at most"), size),
    h("label", { class: "check" }, all, say("查看所有候选", "Look at every candidate")),
  ];
  const filters = () => {
    const [name, ...value] = filter.value.trim().split("=");
    if (!name) return null;
    if (!value.length) throw new Error(say("筛选写作 字段=值。", "Write the filter as field=value."));
    return [{ term: { [name.trim()]: value.join("=").trim() } }];
  };
  const body = () => ({ size: Number(size.value), threshold: Number(threshold.value) || 0, all: all.checked, filters: filters() });
  const wanted = { "": ["exact", "near", "partial"], near: ["exact", "near"], exact: ["exact"] };
  const kept = (found) => ({ ...found, matches: found.matches.filter((each) => wanted[least.value].includes(each.verdict)) });
  const words = () => Object.fromEntries(Object.entries({
    threshold: Number(threshold.value) || "", verdicts: least.value, filter: filter.value.trim(), size: size.value === "10" ? "" : size.value, all: all.checked ? "yes" : "",
  }).filter(([, value]) => value));
  return { fields, body, kept, words };
}

function shown(found, target, asked) {
  const best = found.matches[0];
  const headline = best ? `${VERDICTS()[best.verdict]} ${similarity(best.similarity)}` : VERDICTS().none;
  const heading = h("div", { role: "status" }, h("h2", { class: `headline ${best ? best.verdict : "none"}` }, headline,
    best ? say(`，共 ${count(found.matches.length)} 个`, `, ${count(found.matches.length)} in all`) : ""));
  const links = (each) => [
    h("button", { type: "button", class: "plain", onclick: () => compare(asked, each, target) }, say("并排对比", "Side by side")),
    h("a", { href: `/_dupdex/console/groups/${encodeURIComponent(each.id)}?index=${encodeURIComponent(target)}` }, say("重复组", "Group")),
  ];
  const list = best
    ? h("ol", { class: "list" }, found.matches.map((each) => match(each, links(each), evidence(asked, each, target))))
    : empty("库中没有它的副本。", "No stored document is a copy of it.");
  return [heading, list, coverage(found.completeness)];
}

/* A text that is stored nowhere has no address: it waits in this window. */
function compare(asked, found, target) {
  const address = new URLSearchParams({ index: target, second: found.id });
  if (asked.id || asked.url) address.set("first", asked.id || asked.url);
  else remember(asked.text);
  return go(`compare?${address}`);
}

/* What a field names a stored document by: the address of its page, or its id. Ids that are
   addresses are found by either. */
export const named = (words) => (/^https?:\/\//i.test(words) ? { url: words } : { id: words });

export function remember(text) {
  try { sessionStorage.setItem(KEPT, text); } catch (error) { /* nothing is kept then */ }
}

export function recalled() {
  try { return sessionStorage.getItem(KEPT) || ""; } catch (error) { return ""; }
}
