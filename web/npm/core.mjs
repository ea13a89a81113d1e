// The C interface (native/c/bleuprint.h) for JavaScript: texts in, numbers out. One object holds the memory of the module;
// what it makes has a `free()`.

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const BAD_TEXT = 2;
const CANCELLED = 4;

export class BleuprintError extends Error {
  constructor(message, status) {
    super(message);
    this.name = "BleuprintError";
    this.cancelled = status === CANCELLED;
    this.badText = status === BAD_TEXT;
  }
}

export class Core {
  constructor(module) {
    this.module = module;
  }

  // What a function writes through pointers is read from here, 8 bytes for each.
  #call(name, ...arguments_) {
    const status = this.module[`_bleuprint_${name}`](...arguments_);
    if (status !== 0) throw new BleuprintError(this.text(this.module._bleuprint_error()), status);
  }

  text(place) {
    const bytes = this.module.HEAPU8;
    return DECODER.decode(bytes.subarray(place, bytes.indexOf(0, place)));
  }

  #with(size, use) {
    const place = this.module._malloc(Math.max(size, 8));
    if (place === 0) throw new BleuprintError("there is not enough memory for these texts", 3);
    try {
      return use(place);
    } finally {
      this.module._free(place);
    }
  }

  #withBytes(bytes, use) {
    return this.#with(bytes.length, (place) => {
      this.module.HEAPU8.set(bytes, place);
      return use(place);
    });
  }

  #withText(text, use) {
    if (text.includes("\0")) throw new BleuprintError("the name of a metric or tokenizer holds a NUL", 1);
    return this.#withBytes(ENCODER.encode(`${text}\0`), use);
  }

  #made(name, ...arguments_) {
    return this.#with(8, (out) => {
      this.#call(name, ...arguments_, out);
      return this.module.HEAPU32[out >> 2];
    });
  }

  #reported(report, use) {
    if (!report) return use(0);
    const pointer = this.module.addFunction((_, done, total) => (report(Number(done), Number(total)) === false ? 1 : 0), "iijj");
    try {
      return use(pointer);
    } finally {
      this.module.removeFunction(pointer);
    }
  }

  // A list with a text, or a list of texts, for each segment. Lone surrogates are no Unicode, so they are refused.
  column(segments) {
    const ends = [];
    const segmentEnds = [];
    const parts = [];
    let size = 0;
    segments.forEach((segment, place) => {
      for (const text of typeof segment === "string" ? [segment] : segment) {
        if (/\p{Surrogate}/u.test(text)) throw new BleuprintError(`segment ${place + 1} holds half of a character (a lone surrogate)`, BAD_TEXT);
        const bytes = ENCODER.encode(text);
        parts.push(bytes);
        ends.push((size += bytes.length));
      }
      segmentEnds.push(ends.length);
    });
    const bytes = new Uint8Array(size);
    parts.forEach((part, place) => bytes.set(part, place === 0 ? 0 : ends[place - 1]));
    return this.#column(bytes, ends, segmentEnds);
  }

  #column(bytes, ends, segmentEnds) {
    const places = (numbers) => new Uint8Array(Uint32Array.from(numbers).buffer);
    return this.#withBytes(bytes, (text) =>
      this.#withBytes(places(ends), (textEnds) =>
        this.#withBytes(places(segmentEnds), (last) => this.#handle("column", this.#made("column_new", text, textEnds, ends.length, last, segmentEnds.length))),
      ),
    );
  }

  // The lines of a file's bytes.
  lines(bytes) {
    return this.#withBytes(bytes, (place) => this.#handle("column", this.#made("column_lines", place, bytes.length)));
  }

  // Columns of lines as the references of one column: those of a segment together.
  together(columns) {
    const counts = columns.map((column) => column.segments);
    const odd = counts.findIndex((count) => count !== counts[0]);
    if (odd > 0) throw new BleuprintError(`reference ${odd + 1} has ${counts[odd]} segments, but reference 1 has ${counts[0]}`, 1);
    const ends = [];
    const segmentEnds = [];
    let size = 0;
    for (let segment = 0; segment < counts[0]; segment++) {
      for (const column of columns) ends.push((size += column.place(segment)[1]));
      segmentEnds.push(ends.length);
    }
    const bytes = new Uint8Array(size);
    let at = 0;
    for (let segment = 0; segment < counts[0]; segment++) {
      for (const column of columns) {
        const [begin, length] = column.place(segment);
        bytes.set(this.module.HEAPU8.subarray(begin, begin + length), at);
        at += length;
      }
    }
    return this.#column(bytes, ends, segmentEnds);
  }

  metric(description) {
    return this.#withText(description, (place) => this.#handle("metric", this.#made("metric_new", place)));
  }

  count(metric, outputs, references, report) {
    return this.#reported(report, (pointer) => {
      const handle = this.#handle("rows", this.#made("rows_new", metric.pointer, outputs.pointer, references?.pointer ?? 0, pointer, 0));
      handle.metric = metric;
      return handle;
    });
  }

  tokenize(tokenizer, lowercase, text) {
    if (/\p{Surrogate}/u.test(text)) throw new BleuprintError("the text holds half of a character (a lone surrogate)", BAD_TEXT);
    const bytes = ENCODER.encode(text);
    return this.#withText(tokenizer, (name) => this.#withBytes(bytes, (place) => this.#tokens(this.#made("tokenize", name, Number(lowercase), place, bytes.length))));
  }

  matches(metric, outputs, references, segment, text) {
    return this.#tokens(this.#made("matches", metric.pointer, outputs.pointer, references.pointer, segment, text));
  }

  // Places are in bytes of UTF-8.
  #tokens(pointer) {
    try {
      return this.#with(8, (out) => {
        const data = this.module._bleuprint_tokens_data(pointer, out);
        return Array.from({ length: this.module.HEAPU32[out >> 2] }, (_, place) => {
          const [bytes, length, begin, end, match] = this.module.HEAPU32.subarray((data >> 2) + 5 * place);
          return { token: DECODER.decode(this.module.HEAPU8.slice(bytes, bytes + length)), begin, end, match };
        });
      });
    } finally {
      this.module._bleuprint_tokens_free(pointer);
    }
  }

  // Intervals of all systems, and what the paired test says about each two of them.
  compare(systems, { alpha = 0.05, resamples = 0, swaps = 0, seed = 12345, report } = {}) {
    const count = systems.length;
    const pairs = (count * (count - 1)) / 2;
    const [interval, pair] = [40, 88];
    return this.#with(24 + 4 * count + count * interval + pairs * pair + 16, (start) => {
      const settings = (start + 7) & ~7;
      const handles = settings + 24;
      const intervals = (handles + 4 * count + 7) & ~7;
      const compared = intervals + count * interval;
      const view = () => new DataView(this.module.HEAPU8.buffer);
      view().setFloat64(settings, alpha, true);
      view().setUint32(settings + 8, resamples, true);
      view().setUint32(settings + 12, swaps, true);
      view().setBigUint64(settings + 16, BigInt(seed), true);
      systems.forEach((rows, place) => view().setUint32(handles + 4 * place, rows.pointer, true));
      this.#reported(report, (pointer) => this.#call("compare", handles, count, settings, pointer, 0, intervals, compared));
      const number = (place) => view().getFloat64(place, true);
      const text = (place) => this.text(view().getUint32(place, true));
      const read = (place) => ({ value: number(place), low: number(place + 8), high: number(place + 16), mean: number(place + 24), method: text(place + 32) });
      const found = { intervals: systems.map((_, place) => read(intervals + place * interval)), pairs: [] };
      for (let first = 0, at = compared; first < count; first++) {
        for (let second = first + 1; second < count; second++, at += pair) {
          found.pairs.push({
            first,
            second,
            difference: read(at),
            standardError: number(at + 40),
            level: number(at + 48),
            pValue: number(at + 56),
            corrected: number(at + 64),
            test: text(at + 72),
            trials: Number(view().getBigUint64(at + 80, true)),
          });
        }
      }
      return found;
    });
  }

  #handle(kind, pointer) {
    const { module } = this;
    const core = this;
    const free = () => module[`_bleuprint_${kind}_free`](pointer);
    if (kind === "column") {
      return {
        pointer,
        free,
        segments: module._bleuprint_column_segments(pointer),
        // Where the bytes of a text stand, and how many they are.
        place: (segment, text = 0) =>
          core.#with(8, (out) => {
            core.#call("column_text", pointer, segment, text, out, out + 4);
            return [module.HEAPU32[out >> 2], module.HEAPU32[(out >> 2) + 1]];
          }),
        text(segment, text = 0) {
          const [begin, length] = this.place(segment, text);
          return DECODER.decode(module.HEAPU8.slice(begin, begin + length));
        },
      };
    }
    if (kind === "metric") {
      const names = Array.from({ length: module._bleuprint_metric_values(pointer) }, (_, place) => core.text(module._bleuprint_metric_value_name(pointer, place)));
      const signature = (sentence) => core.text(module._bleuprint_metric_signature(pointer, sentence));
      return { pointer, free, names, higherIsBetter: module._bleuprint_metric_higher_is_better(pointer) === 1, signature: signature(0), segmentSignature: signature(1) };
    }
    const [data, segments, columns] = this.#with(8, (out) => [module._bleuprint_rows_data(pointer, out, out + 4), ...module.HEAPU32.slice(out >> 2, (out >> 2) + 2)]);
    const numbers = (name, size) =>
      core.#with(8 * size, (out) => {
        core.#call(name, pointer, out);
        return Array.from(module.HEAPF64.subarray(out >> 3, (out >> 3) + size));
      });
    return {
      pointer,
      free,
      segments,
      columns,
      row: (segment) => Array.from(new BigInt64Array(module.HEAPU8.buffer, data + 8 * columns * segment, columns), Number),
      sums() {
        const sums = new Array(columns).fill(0);
        const all = new BigInt64Array(module.HEAPU8.buffer, data, columns * segments);
        for (let at = 0; at < all.length; at++) sums[at % columns] += Number(all[at]);
        return sums;
      },
      values() {
        return Object.fromEntries(numbers("score", this.metric.names.length).map((value, place) => [this.metric.names[place], value]));
      },
      segmentScores: () => numbers("segment_scores", segments),
    };
  }
}
