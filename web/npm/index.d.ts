/** Outputs: one text for each segment. */
export type Outputs = readonly string[];
/** For each segment its reference, or a list of references. */
export type References = readonly (string | readonly string[])[];

export type Tokenizer =
  | "13a" | "intl" | "zh" | "zh-corrected" | "char" | "nltk" | "none" | "whitespace" | "ascii-words" | "unicode-words"
  | "tercom" | `tercom-${string}`;
/** `floor(0.1)` and the like hold the value that is added. */
export type Smoothing = "none" | "exp" | "floor" | "add-k" | "add-all" | `${"floor" | "add-k" | "add-all"}(${number})`;

export interface BleuOptions {
  tokenizer?: Tokenizer;
  lowercase?: boolean;
  maxOrder?: number;
  smoothing?: Smoothing;
  /** Leave out orders that a text is too short for; by default for segments, and not for a corpus. */
  effectiveOrder?: boolean;
  referenceLength?: "closest" | "closest-first" | "shortest";
  absentOrder?: "undefined" | "one" | "zero";
  zeroWhen?: "no-match" | "any-order-without-match" | "never";
  zeroPrecision?: "zero" | "skip";
}
export interface ChrfOptions {
  charOrder?: number;
  wordOrder?: number;
  beta?: number;
  lowercase?: boolean;
  whitespace?: boolean;
  epsSmoothing?: boolean;
}
export interface TerOptions {
  tokenizer?: Tokenizer;
  lowercase?: boolean;
}
export interface RougeOptions {
  types?: string | readonly string[];
  tokenizer?: Tokenizer | "rouge" | "unicode";
  stemmer?: boolean;
}
/** Of wer, mer, wil and wip. */
export interface WerOptions {
  tokenizer?: Tokenizer;
  lowercase?: boolean;
}
export interface CerOptions {
  lowercase?: boolean;
  whitespace?: "keep" | "strip" | "collapse" | "remove";
}
export interface SelfBleuOptions {
  tokenizer?: Tokenizer;
  lowercase?: boolean;
  maxOrder?: number;
  smoothing?: Smoothing;
}

/** Scores are from 0 to 1; TER, WER and CER can exceed 1. */
export interface Score {
  /** Of all segments together. */
  score: number;
  /** The score and what it is made of, such as precisions. */
  values: Record<string, number>;
  /** Of each segment alone, or in the pool. */
  segments: number[];
  /** Every option with its value, as bleuprint records it. */
  signature: string;
}

export function bleu(outputs: Outputs, references: References, options?: BleuOptions): Score;
export function chrf(outputs: Outputs, references: References, options?: ChrfOptions): Score;
export function ter(outputs: Outputs, references: References, options?: TerOptions): Score;
export function rouge(outputs: Outputs, references: References, options?: RougeOptions): Score;
export function wer(outputs: Outputs, references: References, options?: WerOptions): Score;
/** Match error rate. */
export function mer(outputs: Outputs, references: References, options?: WerOptions): Score;
/** Word information lost, and preserved. */
export function wil(outputs: Outputs, references: References, options?: WerOptions): Score;
export function wip(outputs: Outputs, references: References, options?: WerOptions): Score;
export function cer(outputs: Outputs, references: References, options?: CerOptions): Score;
/** How much texts repeat each other; lower is more diverse. */
export function selfBleu(texts: Outputs, options?: SelfBleuOptions): Score;

export function tokenize(text: string, tokenizer?: Tokenizer, options?: { lowercase?: boolean }): string[];

export interface Interval {
  value: number;
  low: number;
  high: number;
  /** Of the bootstrap scores. */
  mean: number;
  method: "bca" | "percentile" | "t" | "bound" | "clopper-pearson";
}
/** The score of the first system minus that of the second. */
export interface Pair {
  first: string;
  second: string;
  difference: Interval;
  standardError: number;
  level: number;
  pValue: number;
  /** The p-value by Holm's correction over all pairs. */
  corrected: number;
  test: "exact" | "approximate-randomization";
  trials: number;
}
export interface Settings {
  alpha?: number;
  resamples?: number;
  swaps?: number;
  seed?: number | bigint;
}
interface Options {
  bleu: BleuOptions;
  chrf: ChrfOptions;
  ter: TerOptions;
  rouge: RougeOptions;
  wer: WerOptions;
  mer: WerOptions;
  wil: WerOptions;
  wip: WerOptions;
  cer: CerOptions;
}
export function compare<Name extends keyof Options>(
  name: Name,
  systems: Record<string, Outputs>,
  references: References,
  options?: Options[Name] & Settings,
): { systems: Record<string, Interval>; pairs: Pair[] };

/** Texts that are not Unicode, options that are not allowed, columns that do not fit together. */
export class BleuprintError extends Error {
  readonly cancelled: boolean;
  readonly badText: boolean;
}
