/* What the reader has chosen: language, theme, index. Kept in this browser only. */
function kept(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(`dupdex-${name}`, value);
    return localStorage.getItem(`dupdex-${name}`);
  } catch (error) {
    return null; // a browser that keeps nothing
  }
}

const browser = /^zh\b/i.test(navigator.language || "") ? "zh" : "en";
const known = kept("language");
let language = known === "zh" || known === "en" ? known : browser;
let theme = kept("theme") || "";
const listeners = new Set();

export const isChinese = () => language === "zh";

/* The words of the reader's language. */
export const say = (zh, en) => (isChinese() ? zh : en);

export function onChange(listener) {
  listeners.add(listener);
}

export function apply() {
  const root = document.documentElement;
  root.lang = isChinese() ? "zh-Hans" : "en";
  root.dataset.lang = language; // what is written in both languages shows one of them
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
}

export function speak(wanted) {
  language = kept("language", wanted) || wanted;
  apply();
  listeners.forEach((listener) => listener());
}

export function dress(wanted) {
  theme = wanted;
  kept("theme", wanted);
  apply();
}

export const dressed = () => theme;

export const indexInUse = (name) => kept("index", name) || "";
