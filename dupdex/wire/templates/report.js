
/* Draws the charts that the page describes, again whenever its language or its colours change. */
(function () {
  "use strict";
  var root = document.documentElement;
  var described = JSON.parse(document.getElementById("charts").textContent);
  var drawn = [];
  var LABEL = 22;

  function word(pair) {
    return typeof pair === "string" ? pair : pair[root.dataset.lang === "zh" ? 0 : 1];
  }
  function colour(name) {
    return getComputedStyle(root).getPropertyValue("--" + name).trim();
  }
  function span(seconds) {
    var lengths = [[86400, ["天", "d"]], [3600, ["小时", "h"]], [60, ["分钟", "min"]]];
    for (var i = 0; i < lengths.length; i++) {
      if (seconds >= lengths[i][0]) {
        return +(seconds / lengths[i][0]).toFixed(1) + " " + word(lengths[i][1]);
      }
    }
    return Math.round(seconds) + " " + word(["秒", "s"]);
  }
  function written(value, unit) {
    if (value === null) { return "—"; }
    if (unit === "share") { return (value * 100).toFixed(1) + "%"; }
    return unit === "seconds" ? span(value) : value.toLocaleString("en");
  }
  function cut(text) {
    return text.length > LABEL ? text.slice(0, LABEL - 1) + "…" : text;
  }
  function axis(unit, more) {
    var base = {
      beginAtZero: true,
      grid: { color: colour("line") },
      ticks: { color: colour("soft"), callback: function (value) { return written(value, unit); } }
    };
    if (unit === "count") { base.ticks.precision = 0; }
    if (unit === "seconds") {
      base.type = "logarithmic";
      base.min = 1;
      base.afterBuildTicks = function (scale) {
        var marks = [1, 10, 60, 600, 3600, 21600, 86400, 604800, 2592000, 31536000];
        scale.ticks = marks.filter(function (at) { return at <= scale.max; })
          .map(function (at) { return { value: at }; });
      };
    }
    return Object.assign(base, more || {});
  }
  function series(chart, one) {
    return {
      type: one.line ? "line" : "bar",
      label: word(one.name),
      data: one.unit === "seconds" ? one.values.map(function (v) { return Math.max(v, 1); }) : one.values,
      told: one.values,
      backgroundColor: colour(one.colour),
      borderColor: colour(one.colour),
      borderWidth: one.line ? 2 : 0,
      pointRadius: one.values.length > 60 ? 0 : 3,
      maxBarThickness: 28,
      order: one.line ? 0 : 1,
      stack: one.line ? "line" : "bars",
      yAxisID: chart.across ? "y" : one.line ? "right" : "y",
      unit: one.unit
    };
  }
  function scales(chart) {
    var unit = chart.series[0].unit;
    var labels = {
      grid: { display: false },
      stacked: true,
      ticks: {
        color: colour("soft"),
        autoSkip: !chart.across,
        maxRotation: chart.across ? 0 : 50,
        callback: function (at) { return cut(this.getLabelForValue(at)); }
      }
    };
    var out = chart.across
      ? { y: labels, x: axis(unit, { stacked: true }) }
      : { x: labels, y: axis(unit, { stacked: true }) };
    if (chart.series.some(function (one) { return one.line; })) {
      out.right = axis("share", { position: "right", max: 1, grid: { display: false } });
    }
    return out;
  }
  function draw() {
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.animation = false;
    drawn.forEach(function (chart) { chart.destroy(); });
    drawn = described.map(function (chart) {
      var canvas = document.getElementById("chart-" + chart.id);
      if (chart.across) {
        canvas.parentNode.style.height = Math.max(8, 4 + 1.9 * chart.labels.length) + "rem";
      }
      return new Chart(canvas, {
        data: {
          labels: chart.labels.map(word),
          datasets: chart.series.map(function (one) { return series(chart, one); })
        },
        options: {
          indexAxis: chart.across ? "y" : "x",
          responsive: true,
          maintainAspectRatio: false,
          interaction: { mode: "index", intersect: false, axis: chart.across ? "y" : "x" },
          scales: scales(chart),
          plugins: {
            legend: { display: chart.series.length > 1, labels: { color: colour("ink") } },
            tooltip: {
              callbacks: {
                label: function (item) {
                  return item.dataset.label + ": " + written(item.dataset.told[item.dataIndex], item.dataset.unit);
                }
              }
            }
          }
        }
      });
    });
  }
  new MutationObserver(draw).observe(root, { attributes: true, attributeFilter: ["data-lang"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  addEventListener("beforeprint", function () {
    drawn.forEach(function (chart) { chart.resize(); });
  });
  draw();
})();
