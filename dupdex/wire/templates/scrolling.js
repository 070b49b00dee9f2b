/* Two texts that scroll in step, passage by passage, each with a map of where its reader is. */
(function () {
  "use strict";
  var ALONE = 900; // milliseconds that a text which is led somewhere may move without the other
  var read = new WeakMap();
  var lead = null, alone = 0, asked = false, leads = false;

  /* The text nodes of a box and its passages by place, counted in UTF-16 units; read once. */
  function placesOf(box) {
    var known = read.get(box);
    if (known) { return known; }
    var nodes = [], passages = {}, length = 0, walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      var node = walker.currentNode, link = node.parentElement.closest(".p");
      nodes.push({ node: node, start: length });
      if (link) {
        var place = passages[link.dataset.n] || (passages[link.dataset.n] = [length, length]);
        place[1] = length + node.data.length;
      }
      length += node.data.length;
    }
    known = { nodes: nodes, passages: passages, length: length };
    read.set(box, known);
    return known;
  }

  /* Pairs of places that stand for each other, rising in both texts: of the passages those that are
     in order and long, as the others have moved. */
  function anchors(from, to) {
    var here = placesOf(from), there = placesOf(to);
    if (here.to === to) { return here.anchors; }
    var pairs = Object.keys(here.passages).filter(function (n) { return there.passages[n]; })
      .map(function (n) { return [here.passages[n], there.passages[n]]; })
      .sort(function (one, other) { return one[0][0] - other[0][0]; });
    var best = pairs.map(function (pair) { return pair[0][1] - pair[0][0]; }), before = pairs.map(function () { return -1; }), last = -1;
    pairs.forEach(function (pair, at) {
      var own = best[at];
      for (var i = 0; i < at; i += 1) {
        if (pairs[i][1][1] <= pair[1][0] && best[i] + own > best[at]) { best[at] = best[i] + own; before[at] = i; }
      }
      if (last < 0 || best[at] > best[last]) { last = at; }
    });
    var out = [[here.length, there.length]];
    for (; last >= 0; last = before[last]) {
      out.push([pairs[last][0][1], pairs[last][1][1]], [pairs[last][0][0], pairs[last][1][0]]);
    }
    out.push([0, 0]);
    here.to = to;
    here.anchors = out.reverse();
    return here.anchors;
  }

  function counterpart(from, to, place) {
    var all = anchors(from, to), at = 1;
    while (at < all.length - 1 && all[at][0] < place) { at += 1; }
    var low = all[at - 1], high = all[at], width = high[0] - low[0];
    return Math.round(low[1] + (width ? (place - low[0]) / width : 0) * (high[1] - low[1]));
  }

  /* Which character stands at a height of the window, and the other way round. */
  function placeAt(box, y) {
    var frame = box.getBoundingClientRect(), x = frame.left + box.clientWidth / 2, node, offset;
    if (document.caretPositionFromPoint) {
      var position = document.caretPositionFromPoint(x, y);
      node = position && position.offsetNode;
      offset = position && position.offset;
    } else if (document.caretRangeFromPoint) {
      var range = document.caretRangeFromPoint(x, y);
      node = range && range.startContainer;
      offset = range && range.startOffset;
    }
    if (!node || node.nodeType !== Node.TEXT_NODE || !box.contains(node)) { return null; }
    var nodes = placesOf(box).nodes;
    for (var low = 0, high = nodes.length - 1; low < high;) {
      var middle = (low + high) >> 1, order = nodes[middle].node.compareDocumentPosition(node);
      if (nodes[middle].node === node) { low = high = middle; }
      else if (order & Node.DOCUMENT_POSITION_FOLLOWING) { low = middle + 1; } else { high = middle - 1; }
    }
    return nodes[low].start + offset;
  }

  function heightOf(box, place) {
    var nodes = placesOf(box).nodes, low = 0, high = nodes.length - 1;
    if (high < 0) { return box.getBoundingClientRect().top; }
    while (low < high) {
      var middle = (low + high + 1) >> 1;
      if (nodes[middle].start <= place) { low = middle; } else { high = middle - 1; }
    }
    var node = nodes[low].node, offset = Math.min(place - nodes[low].start, node.data.length - 1), range = document.createRange();
    range.setStart(node, Math.max(0, offset));
    range.setEnd(node, Math.max(0, offset) + 1);
    return range.getBoundingClientRect().top;
  }

  function other(box) {
    return Array.prototype.filter.call(box.closest(".texts").querySelectorAll(".text"), function (each) { return each !== box; })[0];
  }

  function follow(box, tries) {
    var to = other(box), most = box.scrollHeight - box.clientHeight;
    if (box.scrollTop <= 0 || box.scrollTop >= most - 1) {
      to.scrollTop = box.scrollTop <= 0 ? 0 : to.scrollHeight;
      return;
    }
    var frame = box.getBoundingClientRect(), top = Math.max(frame.top, 0), bottom = Math.min(frame.bottom, innerHeight);
    // the line to go by sinks with the text, so that both begin and end together
    var y = top + (bottom - top) * Math.min(.95, Math.max(.05, box.scrollTop / most)), place = placeAt(box, y);
    if (place === null) { // a browser lays out what comes into view a moment later
      if (tries > 0) { setTimeout(function () { if (box === lead) { follow(box, tries - 1); } }, 40); }
      return;
    }
    to.scrollTop += heightOf(to, counterpart(box, to, place)) - (to.getBoundingClientRect().top + y - frame.top);
  }

  function map(box) {
    var view = box.parentElement.querySelector(".map .view");
    if (!view) { return; }
    var whole = Math.max(box.scrollHeight, 1);
    view.setAttribute("y", (1000 * box.scrollTop / whole).toFixed(1));
    view.setAttribute("height", (1000 * Math.min(1, box.clientHeight / whole)).toFixed(1));
  }

  document.addEventListener("scroll", function (event) {
    var box = event.target;
    if (!box.closest || !box.matches(".texts .text")) { return; }
    leads = leads || box === lead; // what the other one did is our own work
    if (asked) { return; }
    asked = true;
    requestAnimationFrame(function () {
      asked = false;
      var step = document.getElementById("in-step");
      if (leads && lead.isConnected && performance.now() > alone && step && step.checked) {
        follow(lead);
        requestAnimationFrame(function () { follow(lead, 5); }); // what has come into view may be higher than it was taken for
      }
      leads = false;
      box.closest(".texts").querySelectorAll(".text").forEach(map);
    });
  }, true);
  ["pointerover", "pointerdown", "wheel", "touchstart", "keydown", "focusin"].forEach(function (name) {
    document.addEventListener(name, function (event) {
      var box = event.target.closest && event.target.closest(".texts .text");
      if (box && box !== lead) { lead = box; map(box); map(other(box)); }
      if (box && name !== "pointerover" && name !== "focusin") { alone = 0; } // the reader moves it
    }, { passive: true });
  });
  document.addEventListener("dupdex-shows", function () { alone = performance.now() + ALONE; });
  document.addEventListener("change", function (event) {
    if (event.target.id !== "in-step") { return; }
    try { localStorage.setItem("dupdex-in-step", event.target.checked ? "yes" : "no"); } catch (error) { /* it is for this page */ }
    if (event.target.checked && lead && lead.isConnected) { follow(lead); }
  });

  /* A place on a map leads there. */
  function lookAt(event) {
    var drawn = event.target.closest && event.target.closest(".map");
    if (!drawn || !(event.buttons & 1)) { return; }
    var frame = drawn.getBoundingClientRect(), box = drawn.parentElement.querySelector(".text");
    lead = box;
    alone = 0;
    var part = (event.clientY - frame.top) / frame.height, place = Math.floor(part * placesOf(box).length);
    box.scrollTop += heightOf(box, place) - box.getBoundingClientRect().top - box.clientHeight / 2;
    event.preventDefault();
  }
  document.addEventListener("pointerdown", lookAt);
  document.addEventListener("pointermove", lookAt);

  /* Texts that have just come: how the reader wants them, and where on the map they begin. */
  function begin() {
    var step = document.getElementById("in-step");
    if (step && !step.dataset.met) {
      step.dataset.met = "yes";
      try { step.checked = localStorage.getItem("dupdex-in-step") !== "no"; } catch (error) { /* as it is */ }
      document.querySelectorAll(".texts .text").forEach(map);
    }
  }
  new MutationObserver(begin).observe(document.documentElement, { childList: true, subtree: true });
  addEventListener("resize", function () { document.querySelectorAll(".texts .text").forEach(map); });
  begin();
})();
