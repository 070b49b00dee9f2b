/* Which language is shown: the one that was asked for, the one chosen before, or that of the browser. */
(function () {
  "use strict";
  var root = document.documentElement;
  function speak(language) {
    root.dataset.lang = language;
    root.lang = language === "zh" ? "zh-Hans" : "en";
  }
  function kept(value) {
    try {
      if (value) { localStorage.setItem("dupdex-language", value); }
      return localStorage.getItem("dupdex-language");
    } catch (error) { return null; }
  }
  var known = root.dataset.given || kept();
  speak(known === "zh" || known === "en" ? known : /^zh\b/i.test(navigator.language || "") ? "zh" : "en");
  document.getElementById("language").addEventListener("click", function () {
    var language = root.dataset.lang === "zh" ? "en" : "zh";
    speak(language);
    kept(language);
  });
})();
