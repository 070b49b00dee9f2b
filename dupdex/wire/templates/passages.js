/* Passages of two texts: lit together, and each leads to its counterpart. */
(function () {
  "use strict";
  function passageOf(event) {
    return event.target.closest && event.target.closest("[data-n]");
  }
  function light(event, on) {
    var place = passageOf(event);
    if (!place) { return; }
    document.querySelectorAll('.p[data-n="' + place.dataset.n + '"], .m[data-n="' + place.dataset.n + '"]').forEach(function (each) {
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
  var waiting, pointer = "", scrolled = null; // a passage that came below a pointer that rests
  function hasMoved(event) { // else a text was scrolled below it
    return event.screenX + " " + event.screenY !== pointer;
  }
  document.addEventListener("mousemove", function (event) {
    if (!hasMoved(event)) { return; }
    pointer = event.screenX + " " + event.screenY;
    if (scrolled && passageOf(event) === scrolled) { find(scrolled); }
    scrolled = null;
  });
  document.addEventListener("mouseover", function (event) {
    clearTimeout(waiting);
    scrolled = null;
    var place = passageOf(event);
    if (!place || place.closest(".map")) { return; }
    if (hasMoved(event)) { find(place); } else { scrolled = place; }
  });
  function find(place) {
    waiting = setTimeout(function () {
      document.querySelectorAll('.p[id][data-n="' + place.dataset.n + '"]').forEach(function (each) {
        if (each !== place && each.closest(".text") !== place.closest(".text") && !isSeen(each)) { show(each); }
      });
    }, 250);
  }
  function isSeen(passage) {
    var box = passage.closest(".text").getBoundingClientRect(), line = passage.getClientRects()[0];
    return line.top >= box.top && line.bottom <= box.bottom;
  }
  function show(passage) {
    passage.closest(".text").dispatchEvent(new CustomEvent("dupdex-shows", { bubbles: true })); // it goes alone
    aim(passage, 5);
  }
  function aim(passage, again) { // what comes into view on the way may be higher than it was taken for
    var box = passage.closest(".text"), top = passage.getClientRects()[0].top - box.getBoundingClientRect().top;
    box.scrollTop += top - box.clientHeight / 4;
    if (again) {
      requestAnimationFrame(function () { if (box.isConnected && !isSeen(passage)) { aim(passage, again - 1); } });
    }
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
