/* Files that a reader drops: texts, JSON lines, CSV and TSV, each also gzipped, as `dupdex check --file` reads them. */
import { say } from "../preferences.js";

const LARGEST = 20_000_000; // bytes, unpacked
export const MOST = 1_000; // documents of one file
const KINDS = { txt: "text", text: "text", md: "text", jsonl: "lines", ndjson: "lines", json: "lines", csv: "table", tsv: "table" };

export const KINDS_READ = ".txt, .md, .jsonl, .ndjson, .json, .csv, .tsv (.gz)";

/* The documents of a file, each with an id and a text, and how many were left out. `fields`: where
   the text is. Throws an Error that says what is wrong with it. */
export async function documentsOf(file, fields) {
  const name = file.name.toLowerCase().replace(/\.gz$/, "");
  const kind = KINDS[name.slice(name.lastIndexOf(".") + 1)];
  if (!kind) throw new Error(say(`不认识 ${file.name} 的格式；可用 ${KINDS_READ}`, `${file.name} is of a kind that is not read here; use ${KINDS_READ}`));
  const text = decoded(await content(file));
  if (kind === "text") return { documents: [{ id: file.name, text }], left: 0, unread: 0 };
  return kind === "lines" ? ofLines(text, fields) : ofTable(text, fields);
}

async function content(file) {
  const packed = /\.gz$/i.test(file.name);
  const stream = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const reader = stream.getReader(), chunks = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > LARGEST) {
      reader.cancel();
      throw new Error(say("文件超过 20 MB；请用 dupdex check --file。", "The file is larger than 20 MB; use 'dupdex check --file'."));
    }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/* UTF-16 by its mark; UTF-8; else GB18030. */
function decoded(bytes) {
  const marks = { "255,254": "utf-16le", "254,255": "utf-16be" };
  const mark = marks[`${bytes[0]},${bytes[1]}`];
  for (const encoding of mark ? [mark] : ["utf-8", "gb18030"]) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch (error) { /* it is another one */ }
  }
  throw new Error(say("文件既不是 UTF-8 也不是 GB18030。", "The file is neither UTF-8 nor GB18030."));
}

function ofLines(text, fields) {
  const made = { documents: [], left: 0, unread: 0 };
  text.split("\n").forEach((line, at) => {
    if (!line.trim()) return;
    let value = null;
    try { value = JSON.parse(line); } catch (error) { /* counted below */ }
    take(made, value, at + 1, fields);
  });
  return told(made, fields);
}

function ofTable(text, fields) {
  const made = { documents: [], left: 0, unread: 0 };
  const [head, ...rows] = rowsOf(text);
  rows.forEach((row, at) => {
    if (row.length === 1 && !row[0]) return;
    take(made, Object.fromEntries((head || []).map((name, column) => [name.trim(), row[column]])), at + 2, fields);
  });
  return told(made, fields);
}

function take(made, value, line, fields) {
  const parts = value && typeof value === "object" ? fields.map((path) => valueAt(value, path)).filter((each) => typeof each === "string" && each) : [];
  if (!parts.length) made.unread += 1;
  else if (made.documents.length >= MOST) made.left += 1;
  else made.documents.push({ id: String(value.id ?? line).slice(0, 500), text: parts.join("\n") });
}

function told(made, fields) {
  if (made.documents.length) return made;
  throw new Error(say(`文件里没有带字段 ${fields.join("、")} 的文档。`, `No document in the file has a text in field ${fields.join(", ")}.`));
}

const valueAt = (value, path) => (path in value ? value[path] : path.split(".").reduce((each, part) => each && each[part], value));

/* The rows of CSV (RFC 4180), by the delimiter that the first line has most of. */
export function rowsOf(text) {
  const first = text.slice(0, Math.max(0, text.indexOf("\n")) || text.length);
  const delimiter = [",", ";", "\t", "|"].map((each) => [first.split(each).length, each]).sort((one, other) => other[0] - one[0])[0][1];
  const rows = [[]];
  let cell = "", quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') { cell += '"'; at += 1; } else quoted = false;
    } else if (letter === '"' && !cell) quoted = true;
    else if (letter === delimiter) { rows[rows.length - 1].push(cell); cell = ""; }
    else if (letter === "\n") { rows[rows.length - 1].push(cell.replace(/\r$/, "")); cell = ""; rows.push([]); }
    else cell += letter;
  }
  rows[rows.length - 1].push(cell);
  if (rows[rows.length - 1].length === 1 && !cell) rows.pop();
  return rows;
}
