/* When the members of a group were written, as marks on a line. */
import { h, svg } from "../dom.js";
import { at } from "../format.js";
import { say } from "../preferences.js";

const WIDTH = 1000, HEIGHT = 64, EDGE = 16;

export function timeline(members, canonical) {
  const times = members.map((each) => Date.parse(each.indexed)).filter((time) => !Number.isNaN(time));
  if (times.length < 2) return null;
  const first = times.reduce((one, other) => Math.min(one, other)), last = times.reduce((one, other) => Math.max(one, other));
  const place = (time) => EDGE + ((WIDTH - 2 * EDGE) * (time - first)) / (last - first || 1);
  const ends = [first, last].map((time) => at(new Date(time).toISOString()));
  const seen = new Set(); // marks that would cover each other are drawn once
  const marks = members.filter((each) => {
    const where = Math.round(place(Date.parse(each.indexed)));
    if (Number.isNaN(where) || (seen.has(where) && each.id !== canonical)) return false;
    return Boolean(seen.add(where));
  }).map((each) => {
    const own = each.id === canonical;
    return svg("circle", { class: own ? "dot canonical" : "dot", cx: place(Date.parse(each.indexed)), cy: 26, r: own ? 9 : 6 },
      svg("title", {}, `${each.id} · ${at(each.indexed)}`));
  });
  return h("figure", { class: "card" },
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": say("写入时间", "When members were written") },
      svg("line", { class: "axis", x1: EDGE, x2: WIDTH - EDGE, y1: 26, y2: 26 }), marks,
      svg("text", { x: EDGE, y: 58 }, ends[0]),
      ends[0] === ends[1] ? null : svg("text", { x: WIDTH - EDGE, y: 58, "text-anchor": "end" }, ends[1])),
    h("figcaption", { class: "soft small" }, say("写入时间；大点为代表文档", "When members were written; the large dot is the canonical one")));
}
