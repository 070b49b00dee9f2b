/* The frame of every page: navigation, language, theme, and which view an address shows. */
import { h, put } from "./dom.js";
import { onSignedOut } from "./api.js";
import { ROOT, go, onArrival } from "./navigation.js";
import { pickers } from "./parts/pickers.js";
import { apply, onChange, say } from "./preferences.js";
import { forget, located, may, meet, signInAddress } from "./session.js";
import { failed } from "./states.js";

const SIGN_IN = "sign-in";

/* The name in addresses, which is that of the module; Chinese, English; the right that it takes,
   when it is more than to read */
const VIEWS = [
  ["ask", "查重", "Ask"],
  ["compare", "对比", "Compare"],
  ["groups", "重复组", "Groups"],
  ["review", "复核", "Review", "review"],
  ["matches", "匹配", "Matches"],
  ["report", "报告", "Report"],
  ["banks", "样本库", "Banks"],
  ["jobs", "任务", "Jobs"],
  ["health", "状态", "Health"],
];

let leave = null;
let turns = 0;

/* Show the view of the address. A view is a module whose `show(main, parts, query)` fills main and
   may return what is to be called when the reader goes on. */
async function show() {
  const parts = location.pathname.slice(ROOT.length).split("/").filter(Boolean).map(decodeURIComponent);
  const name = parts[0] === SIGN_IN ? SIGN_IN : (VIEWS.find(([each]) => each === parts[0]) || VIEWS[0])[0];
  const turn = ++turns;
  if (leave) leave();
  leave = null;
  const main = document.getElementById("main");
  try {
    const [view] = await Promise.all([import(`./views/${name}.js`), name === SIGN_IN ? null : meet()]);
    if (turn !== turns) return; // the reader has gone on
    const query = name === SIGN_IN ? new URLSearchParams(location.search) : located();
    top_(name, query.get("index"));
    put(main);
    leave = (await view.show(main, parts.slice(1), query)) || null;
  } catch (error) {
    if (turn !== turns || error.status === 401) return; // the sign-in is on its way
    top_(name, "");
    put(main, failed(error));
  }
  const heading = main.querySelector("h1");
  document.title = heading ? `${heading.textContent} · dupdex` : "dupdex";
}

function top_(current, index) {
  const address = (name) => (index ? `${ROOT}${name}?${new URLSearchParams({ index })}` : ROOT + name);
  const links = VIEWS.filter(([, , , right]) => !right || may(right)).map(([name, zh, en]) =>
    h("li", {}, h("a", { href: address(name), "aria-current": name === current ? "page" : null }, say(zh, en))));
  const held = document.activeElement && document.activeElement.id; // drawn anew, it is another element
  put(document.getElementById("top"), h("div", { class: "bar" },
    h("a", { class: "brand", href: ROOT }, h("img", { src: `${ROOT}assets/icon.svg`, alt: "" }), "dupdex"),
    current === SIGN_IN ? null : h("nav", { "aria-label": say("页面", "Pages") }, h("ul", {}, links)),
    h("div", { class: "tools" }, pickers(current === SIGN_IN ? null : { index, view: current }))));
  if (held && !document.getElementById("main").contains(document.activeElement)) document.getElementById(held)?.focus();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest && event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || !url.pathname.startsWith(ROOT) || link.target || link.hasAttribute("download")) return;
  if (url.hash && url.pathname === location.pathname) return;
  event.preventDefault();
  go(url.pathname + url.search);
});
addEventListener("popstate", show);
onSignedOut(() => {
  forget();
  if (!location.pathname.startsWith(ROOT + SIGN_IN)) go(signInAddress(), { replace: true });
});
onArrival(show);
onChange(show);
apply();
show();
