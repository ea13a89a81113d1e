// The worker of the page: it holds the texts, and answers what the page asks.

let scoring = null;
let toldAt = 0;

function tell(words, done, total) {
  const now = performance.now();
  if (now - toldAt < 50 && done < total) return true;
  toldAt = now;
  postMessage({ progress: words, done, total });
  return true;
}

// Text or a file to bytes. A carriage return of old Macs alone is no end of a line.
async function bytesFrom({ name, text, file }) {
  if (!file) {
    if (/\p{Surrogate}/u.test(text)) throw new Error(`“${name}” holds half of a character (a lone surrogate); paste it again`);
    return { name, bytes: new TextEncoder().encode(text) };
  }
  const bytes = new Uint8Array(file.size);
  let at = 0;
  const reader = file.stream().getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    bytes.set(value, at);
    at += value.length;
    tell(`reading ${name}`, at, file.size);
  }
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return { name, bytes: bytes.subarray(bom) };
}

const ANSWERS = {
  async start({ packed, versions }) {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const wasmBinary = new Uint8Array(await new Response(stream).arrayBuffer());
    scoring = new Scoring(new Core(await createModule({ wasmBinary, print: () => {}, printErr: () => {} })), versions, tell);
    return true;
  },
  async score(input) {
    const read = async (slots) => {
      const found = [];
      for (const slot of slots) found.push(await bytesFrom(slot));
      return found;
    };
    return scoring.score({ ...input, systems: await read(input.systems), references: await read(input.references), sources: await read(input.sources) });
  },
  list: () => scoring.list(),
  segment: ({ index }) => scoring.segment(index),
  rescore: (input) => scoring.rescore(input),
  result: async () => `${JSON.stringify(await scoring.result(), null, 1)}\n`,
};

addEventListener("message", async ({ data: { number, question, input } }) => {
  try {
    postMessage({ number, answer: await ANSWERS[question](input ?? {}) });
  } catch (error) {
    const memory = error instanceof RangeError || /memory/.test(error.message);
    postMessage({ number, error: memory ? "these texts need more memory than this page can have; score them with the command line, which has no limit" : error.message });
  }
});
