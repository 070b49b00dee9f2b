/* Elements from data. Whatever is given as a child is text: nothing a user wrote becomes markup. */
const HANDLER = /^on[a-z]+$/;

export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (HANDLER.test(name)) element.addEventListener(name.slice(2), value);
    else if (name === "href" && !isOurs(value)) continue;
    else if (name in PROPERTIES) element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  add(element, children);
}

/* Set as properties, as the attribute of the same name is only where they begin. */
const PROPERTIES = { value: 1, checked: 1, selected: 1, disabled: 1, indeterminate: 1 };

/* Links lead to this origin, or to http and https: never to javascript: of somebody's making. */
function isOurs(address) {
  try {
    return /^https?:$/.test(new URL(address, document.baseURI).protocol);
  } catch (error) {
    return false;
  }
}

export function add(element, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/* Words of somebody, kept apart from those around them, whichever way they are written. */
export const apart = (words) => h("bdi", {}, words);

/* The ids of two documents in one line. */
export const pair = (first, second) => [apart(first), " – ", apart(second)];

export function put(element, ...children) {
  element.replaceChildren();
  return add(element, ...children);
}
