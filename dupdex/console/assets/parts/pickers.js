/* The choices at the top of every page: index, theme, language; and who is signed in. */
import { go } from "../navigation.js";
import { h } from "../dom.js";
import { dress, dressed, isChinese, say, speak } from "../preferences.js";
import { knownIndices, signInAddress, signOut, who } from "../session.js";
import { tell } from "../states.js";

/* `at`: index and view of the page, null where nobody is signed in. */
export function pickers(at) {
  return [at && knownIndices().length ? indexPicker(at) : null, themes(), languages(), at && who().token ? account() : null];
}

function indexPicker({ index, view }) {
  const names = [...new Set([...knownIndices(), index])].filter(Boolean); // an alias may be in use
  const chosen = (event) => go(`${view}?${new URLSearchParams({ index: event.target.value })}`);
  return h("label", { class: "pick" }, say("索引", "Index"),
    h("select", { id: "index", onchange: chosen }, names.map((name) => h("option", { value: name, selected: name === index }, name))));
}

function themes() {
  const choices = [["", say("跟随系统", "System")], ["light", say("浅色", "Light")], ["dark", say("深色", "Dark")]];
  return h("select", { "aria-label": say("配色", "Theme"), onchange: (event) => dress(event.target.value) },
    choices.map(([value, words]) => h("option", { value, selected: value === dressed() }, words)));
}

const languages = () => h("button", { type: "button", id: "language", lang: isChinese() ? "en" : "zh-Hans", onclick: () => speak(isChinese() ? "en" : "zh") },
  isChinese() ? "English" : "中文");

function account() {
  const leave = async () => {
    const back = signInAddress();
    try {
      await signOut();
      go(back);
    } catch (error) {
      tell(error.message);
    }
  };
  return [h("span", { class: "soft small", dir: "auto" }, who().name), h("button", { type: "button", id: "sign-out", class: "plain", onclick: leave }, say("退出", "Sign out"))];
}
