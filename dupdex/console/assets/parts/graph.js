/* The pairs of a group as a small graph: the canonical document in the middle, the others around. */
import { h, svg } from "../dom.js";
import { similarity } from "../format.js";
import { say } from "../preferences.js";

const MOST = 60, EDGE = 32; // members that are drawn, and what is left free around them

export function graph(group) {
  const around = group.members.filter((each) => each.id !== group.canonical.id).slice(0, MOST);
  const radius = around.length < 3 ? 72 : around.length < 9 ? 88 : 128;
  const width = 2 * (radius + EDGE), height = around.length < 3 ? 2 * EDGE : width; // few stand in a line
  const places = new Map([[group.canonical.id, [width / 2, height / 2]]]);
  around.forEach((each, at) => {
    const angle = (2 * Math.PI * at) / around.length - (around.length < 3 ? 0 : Math.PI / 2);
    places.set(each.id, [width / 2 + radius * Math.cos(angle), height / 2 + radius * Math.sin(angle)]);
  });
  const lines = group.edges.filter((edge) => places.has(edge.first) && places.has(edge.second)).map((edge) => {
    const [[x1, y1], [x2, y2]] = [places.get(edge.first), places.get(edge.second)];
    return svg("line", { class: `edge ${edge.verdict || ""}`, x1, y1, x2, y2 },
      svg("title", {}, `${edge.first} – ${edge.second}: ${similarity(edge.similarity)}`));
  });
  const dots = [...places].map(([id, [cx, cy]]) =>
    svg("circle", { class: id === group.canonical.id ? "dot canonical" : "dot", cx, cy, r: id === group.canonical.id ? 10 : 7 }, svg("title", {}, id)));
  const left = group.members.length - 1 - around.length;
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": say("组内相似关系，详见下方表格", "Which members are similar; the table below says the same") }, lines, dots);
  drawn.style.maxWidth = `${width / 14}rem`;
  return h("figure", { class: "card graph" }, drawn,
    h("figcaption", { class: "soft small" }, say("中心为代表文档，连线为验证过的相似", "The canonical document in the middle; lines are verified pairs"),
      left > 0 ? say(`；另有 ${left} 个未画出`, `; ${left} more are not drawn`) : ""));
}
