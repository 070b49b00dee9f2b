/* Long tables that are there as a whole: some rows at once, and a button for more. */
import { h } from "../dom.js";
import { count } from "../format.js";
import { say } from "../preferences.js";

const SIZE = 100;

/* The body of a table, and the button; `row` makes a row of an item when it comes to it. */
export function pages(items, row) {
  const body = h("tbody");
  const more = h("button", { type: "button", onclick: () => next() });
  function next() {
    const shown = body.children.length;
    body.append(...items.slice(shown, shown + SIZE).map(row));
    const left = items.length - body.children.length;
    more.hidden = left === 0;
    more.textContent = say(`更多（还有 ${count(left)}）`, `More (${count(left)} left)`);
  }
  next();
  return { body, more };
}
