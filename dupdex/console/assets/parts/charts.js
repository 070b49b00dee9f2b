/* Charts by Chart.js, which is loaded when the first one is drawn. What a chart says is in a table
   beside it as well: a canvas is nothing to those who do not see it. */
import { h } from "../dom.js";
import { count } from "../format.js";

const LIBRARY = "/_dupdex/console/assets/chart.js";
const LABEL = 24;
let loading = null;

function library() {
  loading ||= new Promise((resolve, reject) => {
    const script = h("script", { src: LIBRARY, onload: () => resolve(globalThis.Chart) });
    script.addEventListener("error", () => reject(new Error(LIBRARY)));
    document.head.append(script);
  });
  return loading;
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/* `labels`, `series` [{name, values, colour, line, write}], `across`: bars from left to right;
   `open(at)`: what a click on a label's bars does. Returns a figure, and draws it once it stands. */
export function chart(described) {
  const canvas = h("canvas", { role: "img", "aria-label": described.about });
  const box = h("div", { class: described.across ? "chart across" : "chart" }, canvas);
  if (described.across) box.style.height = `${Math.max(8, 4 + 1.9 * described.labels.length)}rem`;
  library().then((Chart) => {
    if (!canvas.isConnected) return;
    let drawn = draw(Chart, canvas, described);
    const again = () => {
      drawn.destroy();
      if (canvas.isConnected) drawn = draw(Chart, canvas, described);
      else end();
    };
    const watched = new MutationObserver(again);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const end = () => { watched.disconnect(); scheme.removeEventListener("change", again); };
    watched.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    scheme.addEventListener("change", again);
  }).catch(() => box.remove()); // the table says the same
  return box;
}

function draw(Chart, canvas, { labels, series, across, open }) {
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.animation = false;
  const cut = (text) => (text.length > LABEL ? `${text.slice(0, LABEL - 1)}…` : text);
  const names = { stacked: true, grid: { display: false }, ticks: { color: colour("soft"), autoSkip: !across, maxRotation: across ? 0 : 50, callback(at) { return cut(this.getLabelForValue(at)); } } };
  const values = (one, more) => ({ beginAtZero: true, grid: { color: colour("line") }, ticks: { color: colour("soft"), precision: one.write ? undefined : 0, callback: (value) => (one.write || count)(value) }, ...more });
  const bars = series.find((each) => !each.line) || series[0];
  const scales = across ? { y: names, x: values(bars, { stacked: true }) } : { x: names, y: values(bars, { stacked: true }) };
  const line = series.find((each) => each.line);
  if (line) scales.right = values(line, { position: "right", max: 1, grid: { display: false } });
  const datasets = series.map((each) => ({
    type: each.line ? "line" : "bar", label: each.name, data: each.values, backgroundColor: colour(each.colour), borderColor: colour(each.colour),
    borderWidth: each.line ? 2 : 0, pointRadius: each.values.length > 60 ? 0 : 3, maxBarThickness: 28, order: each.line ? 0 : 1,
    stack: each.line ? "line" : "bars", yAxisID: across ? "y" : each.line ? "right" : "y", write: each.write || count,
  }));
  return new Chart(canvas, {
    data: { labels, datasets },
    options: {
      indexAxis: across ? "y" : "x", responsive: true, maintainAspectRatio: false, scales,
      interaction: { mode: "index", intersect: false, axis: across ? "y" : "x" },
      onClick: (_, found) => found.length && open && open(found[0].index),
      onHover: (event, found) => { event.native.target.style.cursor = found.length && open ? "pointer" : ""; },
      plugins: {
        legend: { display: series.length > 1, labels: { color: colour("ink") } },
        tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${item.dataset.write(item.dataset.data[item.dataIndex])}` } },
      },
    },
  });
}
