"use strict";

// Reads the segments out of the page and cuts their texts into tokens.

const place = (id) => document.getElementById(id);

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%.()*+-;,=:?@^_`{|}~";
const SCORE_STEPS = 10000;

// Five digits of base 85 are four bytes; a last group may be shorter.
function bytesOf(text) {
  const values = new Uint8Array(128);
  Array.from(DIGITS).forEach((digit, value) => {
    values[digit.charCodeAt(0)] = value;
  });
  const missing = (5 - (text.length % 5)) % 5;
  const padded = text + "~".repeat(missing);
  const bytes = new DataView(new ArrayBuffer((padded.length / 5) * 4));
  for (let at = 0, to = 0; at < padded.length; at += 5, to += 4) {
    let number = 0;
    for (let digit = at; digit < at + 5; digit++) number = number * 85 + values[padded.charCodeAt(digit)];
    bytes.setUint32(to, number);
  }
  return new Uint8Array(bytes.buffer, 0, bytes.byteLength - missing);
}

async function readData() {
  const packed = bytesOf(place("data").textContent.trim());
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const read = JSON.parse(await new Response(stream).text());
  const score = (steps) => (steps === null ? Infinity : steps / SCORE_STEPS);
  read.scores = read.scores.map((metric) => metric.map((system) => system.map(score)));
  return read;
}

// Control characters as the symbols Unicode has for them; those without one as U+FFFD.
function visible(text) {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g, (letter) => {
    const code = letter.codePointAt(0);
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });
}

function element(name, kind, text) {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = visible(text);
  return made;
}

// The text of an entry: a string, or a list that begins with it.
const textOf = (entry) => (typeof entry === "string" ? entry : entry[0]);

// What Python's str.split() takes for white space.
const BLANK = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

// The tokens of an entry: where each begins and ends (in code points), and what it counts as.
function tokensOf(entry, lowercase) {
  const [text, cuts, others] = typeof entry === "string" ? [entry, "", {}] : [entry[0], entry[1], entry[2] || {}];
  const letters = Array.from(text);
  const found = typeof entry === "string" ? undefined : entry[4]; // by a page that has a tokenizer
  if (found) return { letters, tokens: found.map(([begin, end, key]) => ({ begin, end, key })) };
  const places = new Set();
  let at = 0;
  for (const step of cuts) {
    at += step === "|" ? 88 : step.charCodeAt(0) - 35;
    if (step !== "|") places.add(at);
  }
  const tokens = [];
  let start = -1;
  let number = 0;
  for (let index = 0; index <= letters.length; index++) {
    const blank = index === letters.length || BLANK.test(letters[index]);
    if (start >= 0 && (blank || places.has(index))) {
      const key = keyOf(letters, start, index, others[number], lowercase);
      if (key !== null) tokens.push({ begin: start, end: index, key });
      number++;
      start = -1;
    }
    if (start < 0 && !blank) start = index;
  }
  return { letters, tokens };
}

function keyOf(letters, begin, end, other, lowercase) {
  if (other !== undefined) return other;
  const piece = letters.slice(begin, end).join("");
  return lowercase && /^[\x00-\x7f]*$/.test(piece) ? piece.toLowerCase() : piece;
}
