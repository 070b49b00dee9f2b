/* Passages of two texts: lit together, and each leads to its counterpart. */
(function () {
  "use strict";
  function passageOf(event) {
    return event.target.closest && event.target.closest("[data-n]");
  }
  function light(event, on) {
    var place = passageOf(event);
    if (!place) { return; }
    document.querySelectorAll('.p[data-n="' + place.dataset.n + '"]').forEach(function (each) {
      each.classList.toggle("on", on);
    });
  }
  ["mouseover", "focusin"].forEach(function (name) {
    document.addEventListener(name, function (event) { light(event, true); });
  });
  ["mouseout", "focusout"].forEach(function (name) {
    document.addEventListener(name, function (event) { light(event, false); });
  });
  // A counterpart that cannot be seen comes into view, unless the pointer just passes by.
  var waiting;
  document.addEventListener("mouseover", function (event) {
    clearTimeout(waiting);
    var place = passageOf(event);
    if (!place) { return; }
    waiting = setTimeout(function () {
      document.querySelectorAll('.p[data-n="' + place.dataset.n + '"]').forEach(function (each) {
        if (each !== place && !isSeen(each)) { show(each); }
      });
    }, 250);
  });
  function isSeen(passage) {
    var box = passage.closest(".text").getBoundingClientRect(), line = passage.getClientRects()[0];
    return line.top >= box.top && line.bottom <= box.bottom;
  }
  function show(passage) {
    var box = passage.closest(".text");
    var top = passage.getClientRects()[0].top - box.getBoundingClientRect().top;
    box.scrollTop += top - box.clientHeight / 4;
  }
  document.addEventListener("click", function (event) {
    var link = event.target.closest && event.target.closest('a[href^="#"]');
    if (!link) { return; }
    var goal = document.getElementById(link.getAttribute("href").slice(1));
    if (!goal) { return; }
    event.preventDefault();
    var box = goal.closest(".text");
    if (box) {
      show(goal);
      if (box.getBoundingClientRect().bottom < 0 || box.getBoundingClientRect().top > innerHeight) {
        box.scrollIntoView({ block: "nearest" });
      }
    }
    goal.focus({ preventScroll: true });
  });
})();
