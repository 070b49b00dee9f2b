/* The pairs before one reviewer: handed out, fetched ahead, decided, skipped, and taken back. */
import { ask } from "../api.js";
import { reviewer, seat } from "./seat.js";

const AHEAD = 3; // pairs that are held, the one that is seen among them
const KEPT = 30; // comparisons
const RENEWED = 120_000; // well within the five minutes for which a pair is held

export class Turns {
  /* `explain`: asks for what is shown of a pair; `changed` is called when another one is first. */
  constructor(target, second, explain, changed) {
    Object.assign(this, { target, second, explain, changed });
    this.waiting = [];
    this.done = []; // {turn, did, sent}, the last one last
    this.left = 0;
    this.pages = new Map();
    this.clock = setInterval(() => document.hidden || this.fill().catch(() => {}), RENEWED);
    this.leaving = () => this.giveBack();
    addEventListener("pagehide", this.leaving);
  }

  get first() {
    return this.waiting[0] || null;
  }

  /* What is shown of a pair; asked for once. */
  page(turn) {
    const name = nameOf(turn);
    if (!this.pages.has(name)) {
      if (this.pages.size >= KEPT) this.pages.delete(this.pages.keys().next().value);
      const page = this.explain(turn.record);
      page.catch(() => this.pages.delete(name));
      this.pages.set(name, page);
    }
    return this.pages.get(name);
  }

  /* Hold what waits, and ask for more. */
  async fill() {
    const body = { seat, by: reviewer(), size: AHEAD + this.done.filter((each) => each.under).length, second_opinions: this.second };
    const settled = this.done.filter((each) => !each.under).length;
    const answer = await ask("review/next", { method: "POST", query: { target: this.target }, body });
    // What was settled meanwhile may be in the answer, as it was asked for before.
    const gone = new Set(this.done.filter((each, at) => each.under || at >= settled).map((each) => nameOf(each.turn)));
    const known = new Set(this.waiting.map(nameOf));
    const held = new Set(answer.pairs.map(nameOf));
    this.left = answer.left;
    const before = this.first;
    this.waiting = this.waiting.filter((each) => held.has(nameOf(each)) || each === before || each.again);
    this.waiting.push(...answer.pairs.filter((each) => !known.has(nameOf(each)) && !gone.has(nameOf(each))));
    this.waiting.slice(1, AHEAD).forEach((each) => this.page(each).catch(() => {}));
    if (this.first !== before) this.changed();
  }

  /* Whether more may come in a moment. */
  get pending() {
    return this.done.some((each) => each.under);
  }

  /* Decide about the first pair, or skip it; the next one is seen at once. Raises what was wrong
     after the pair is back. */
  async settle(did, why) {
    const turn = this.waiting.shift();
    if (!turn) return;
    const pair = idsOf(turn);
    const sent = did === "skip"
      ? this.post("review/skip", { ...pair, seat, by: reviewer() })
      : this.post("decisions", { ...pair, decision: did, why, by: reviewer() });
    const entry = { turn, did, sent, under: true };
    this.done.push(entry);
    this.changed();
    try {
      await sent;
    } catch (error) {
      this.done = this.done.filter((each) => each !== entry);
      this.waiting.unshift(turn);
      this.changed();
      throw error;
    }
    try {
      await this.fill();
    } finally {
      entry.under = false;
      if (!this.first) this.changed();
    }
  }

  /* Take back what was done last; null when there is nothing. A second opinion stays until the
     next one is given: to take it back would take back the first one as well. */
  async undo() {
    const entry = this.done.pop();
    if (!entry) return null;
    try {
      await entry.sent;
      const pair = idsOf(entry.turn);
      if (entry.did === "skip") await this.post("review/skip", { ...pair, seat, by: reviewer(), undo: true });
      else if (!entry.turn.second_opinion) await this.post("decisions", { ...pair, decision: "undo", by: reviewer() });
    } catch (error) {
      this.done.push(entry);
      throw error;
    }
    this.waiting.unshift({ ...entry.turn, again: true });
    this.changed();
    return entry;
  }

  post(path, body) {
    return ask(path, { method: "POST", query: { target: this.target }, body });
  }

  giveBack() {
    return ask("review/release", { method: "POST", query: { target: this.target }, body: { seat }, keepalive: true }).catch(() => {});
  }

  end() {
    clearInterval(this.clock);
    removeEventListener("pagehide", this.leaving);
    return this.giveBack();
  }
}

export const idsOf = (turn) => ({ first: turn.record.first.id, second: turn.record.second.id });

const nameOf = ({ record }) => JSON.stringify([record.first, record.second]);
