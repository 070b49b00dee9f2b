/* From one address of the console to another, without loading the page again. */
export const ROOT = "/_dupdex/console/";

let draw = () => Promise.resolve();

/* `show` draws what the address stands for. */
export function onArrival(show) {
  draw = show;
}

/* Go to an address of the console. */
export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path.startsWith("/") ? path : ROOT + path);
  return draw().then(() => {
    const main = document.getElementById("main");
    scrollTo(0, 0);
    if (main.contains(document.activeElement)) return; // the view has put it where it belongs
    const heading = main.querySelector("h1");
    if (heading) heading.tabIndex = -1;
    (heading || main).focus({ preventScroll: true });
  });
}
