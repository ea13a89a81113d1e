"use strict";

// Reads the segments out of the page and cuts their texts into tokens.

const place = (id) => document.getElementById(id);

async function readData() {
  const packed = Uint8Array.from(atob(place("data").textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
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
