/* Numbers and times in the reader's language. */
import { isChinese, say } from "./preferences.js";

const locale = () => (isChinese() ? "zh-Hans" : "en");

export const count = (value) => new Intl.NumberFormat(locale()).format(value);

export const percent = (value, digits = 0) =>
  value === null || value === undefined
    ? "–"
    : new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: digits }).format(value);

export const similarity = (value) =>
  value === null || value === undefined ? "–" : value.toFixed(2);

export const bytes = (value) => {
  const unit = value < 1e6 ? "kilobyte" : value < 1e9 ? "megabyte" : "gigabyte";
  const size = { kilobyte: 1e3, megabyte: 1e6, gigabyte: 1e9 }[unit];
  const shown = { style: "unit", unit, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(locale(), shown).format(value / size);
};

const STEPS = [["year", 31536e3], ["month", 2592e3], ["day", 86400], ["hour", 3600], ["minute", 60]];

/* "3 days ago", with the whole time as a title: give it to an element as its attributes. */
export function ago(time) {
  const seconds = (Date.parse(time) - Date.now()) / 1000;
  const [unit, size] = STEPS.find(([, each]) => Math.abs(seconds) >= each) || ["second", 1];
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  return Number.isNaN(seconds) ? "–" : words.format(Math.round(seconds / size), unit);
}

const LENGTHS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

/* A length of time in seconds, in its largest unit. */
export function span(seconds) {
  const [unit, size] = LENGTHS.find(([, each]) => seconds >= each) || LENGTHS[3];
  return new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 }).format(seconds / size);
}

export const at = (time) =>
  Number.isNaN(Date.parse(time))
    ? "–"
    : new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));

/* The first letters of a text; one that takes two code units is never cut in half. */
export const begun = (text, most) => {
  const letters = [...text.slice(0, 2 * most + 2)];
  return letters.length > most ? `${letters.slice(0, most).join("")}…` : text;
};

/* The part of a text from one place on, or up to one, that is no half of a letter. */
export const whole = (text) => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");

export const VERDICTS = () => ({
  exact: say("完全相同", "exact"),
  near: say("近似重复", "near"),
  partial: say("部分重复", "partial"),
  none: say("不重复", "no duplicate"),
});

export const DIRECTIONS = () => ({
  contains: say("包含对方", "contains the other"),
  contained_in: say("包含于对方", "is contained in the other"),
  overlaps: say("互有重叠", "each has a part of the other"),
});
