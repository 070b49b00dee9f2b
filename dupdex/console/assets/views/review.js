/* Review: undecided pairs one after the other, the most doubtful first, by one key each. */
import { h, put } from "../dom.js";
import { percent } from "../format.js";
import { help, listen } from "../parts/keys.js";
import { figuresOf, more, tiles } from "../parts/review_figures.js";
import { isReviewer, reviewer } from "../parts/seat.js";
import { idsOf, Turns } from "../parts/turns.js";
import { ask } from "../api.js";
import { indexInUse, say } from "../preferences.js";
import { during, empty, failed, tell } from "../states.js";
import { shown } from "./compare.js";

const RECOUNTED = 5000;
const CAUSES = () => ({
  template: say("同一模板的不同填写", "both fill in one form"),
  facts: say("事实不同", "facts differ"),
  threshold: say("接近阈值", "near the threshold"),
});
const DONE = () => ({ duplicate: say("判为重复。", "Duplicate."), "not-duplicate": say("判为不重复。", "Not a duplicate."), skip: say("已跳过。", "Skipped.") });

/* The comparison without its long tables, which one click opens. */
function folded(page) {
  const parts = h("div", { class: "pair" }, shown(page));
  parts.querySelectorAll("details[open]").forEach((each) => { each.open = false; });
  return parts;
}

const waiting = () => h("div", { class: "state", role: "status" }, h("div", { class: "wait" }), say("正在取下一对…", "Asking for the next pair…"));

export function show(main, _parts, query) {
  const target = query.get("index") || indexInUse();
  const share = Number(query.get("second") || 0);
  const [figures, about, place, below] = [h("div"), h("div", { class: "row", id: "pair", "aria-live": "polite" }), h("section", { "aria-label": say("当前的一对", "The pair") }), h("div")];
  const inner = h("div", { class: "pair" });
  const why = h("input", { id: "why", maxlength: 1000, dir: "auto", onkeydown: (event) => (event.key === "Enter" || event.key === "Escape") && why.blur() });
  const who = h("input", { id: "who", value: reviewer(), maxlength: 100, dir: "auto", autocomplete: "off", onchange: () => isReviewer(who.value.trim()) });
  const seconds = h("select", { onchange: () => again({ second: seconds.value }) }, [0, 0.05, 0.1, 0.2, 1].map((each) => h("option", { value: each, selected: each === share }, each ? percent(each) : say("不要", "none"))));
  const explain = ({ first, second }) => ask("explain", { method: "POST", query: { target }, body: { first: { id: first.id }, second: { id: second.id } }, accept: "text/html" });
  const turns = new Turns(target, share, explain, draw);
  let counted, later;

  function again(change) {
    const address = new URLSearchParams({ index: target, ...(share ? { second: share } : {}), ...change });
    history.replaceState(null, "", `/_dupdex/console/review?${address}`);
    turns.second = Number(change.second);
    turns.fill().catch((error) => tell(error.message));
  }

  const settle = (did) => async () => {
    if (!turns.first) return;
    const said = why.value.trim();
    why.value = "";
    tell(DONE()[did]);
    try {
      await turns.settle(did, said);
      recount();
    } catch (error) {
      tell(error.message);
    }
  };

  async function undo() {
    try {
      const entry = await turns.undo();
      tell(entry ? say("已撤销，再看一次。", "Taken back; here it is again.") : say("没有可撤销的。", "There is nothing to take back."));
      if (entry) recount();
    } catch (error) {
      tell(error.message);
    }
  }

  function open() {
    if (turns.first) window.open(`/_dupdex/console/compare?${new URLSearchParams({ index: target, ...idsOf(turns.first) })}`, "_blank", "noopener");
  }

  const keys = [
    ["d", say("重复", "Duplicate"), settle("duplicate"), "main"],
    ["n", say("不重复", "Not a duplicate"), settle("not-duplicate"), "main"],
    ["s", say("跳过", "Skip"), settle("skip")],
    ["u", say("撤销", "Undo"), undo],
    ["o", say("单独打开", "Open by itself"), open],
    ["w", say("写理由", "Say why"), () => why.focus()],
  ];

  function draw() {
    const turn = turns.first;
    bar.hidden = !turn && !turns.done.length;
    if (!turn) {
      put(about);
      // As what was asked for before must not come after it.
      during(inner, async () => null, () => (turns.pending ? waiting() : empty("没有待复核的对了。", "No pair waits for a decision.", h("a", { href: `/_dupdex/console/matches?${new URLSearchParams({ index: target })}` }, say("查看全部匹配", "See all matches")))));
      return;
    }
    const { record } = turn;
    put(about, h("strong", {}, CAUSES()[turn.cause]), turn.second_opinion ? h("span", { class: "verdict partial" }, say("第二意见", "second opinion")) : null,
      h("span", { class: "id", dir: "auto" }, record.first.id), h("span", { class: "id", dir: "auto" }, record.second.id));
    if (about.getBoundingClientRect().top < 0) about.scrollIntoView();
    during(inner, () => turns.page(turn), folded);
  }

  /* The figures are made of all decisions: they are asked for now and then. */
  function recount() {
    later ||= setTimeout(() => { later = null; count_(); }, RECOUNTED);
  }

  async function count_() {
    const turn = (counted = {});
    try {
      const found = await figuresOf(target);
      if (turn !== counted) return; // a later one is under way
      const unfolded = below.querySelector("details")?.open;
      put(figures, tiles(found));
      put(below, more(found, target));
      below.firstChild.open = Boolean(unfolded);
    } catch (error) {
      put(below, failed(error));
    }
  }

  const bar = h("div", { class: "card keybar", hidden: true },
    h("div", { class: "row" }, keys.slice(0, 5).map(([key, words, run, kind]) => h("button", { type: "button", class: kind, "data-key": key, onclick: run }, words, " ", h("kbd", { "aria-hidden": "true" }, key.toUpperCase()))),
      h("button", { type: "button", class: "plain", onclick: () => help(keys) }, say("按键", "Keys"), " ", h("kbd", { "aria-hidden": "true" }, "?")),
      h("label", { class: "grow" }, say("理由（可不写）", "Why, if you like"), why)));
  put(main, h("div", { class: "head" }, h("h1", {}, say("复核", "Review")), h("p", {}, say("还没有人判定的近似对，最拿不准的在前", "Near pairs that nobody decided about, the most doubtful first"))),
    figures, h("div", { class: "row" }, h("label", {}, say("复核人", "Who reviews"), who), h("label", {}, say("第二意见的比例", "Share of second opinions"), seconds),
      h("p", { class: "soft small" }, say("已判定的对里，这一部分会再给另一位署名的复核人看，且不透露原判定。", "This part of the decided pairs goes to another reviewer with a name as well, who is not told what was decided."))),
    about, place, bar, below);
  const silent = listen(keys.map(([key, words, run]) => [key, words, run]));
  during(place, () => turns.fill(), () => (turns.first || draw(), inner)).then(count_);
  return () => {
    silent();
    clearTimeout(later);
    turns.end();
  };
}
