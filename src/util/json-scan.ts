import { pointer } from './json.ts';

/** What makes a JSON text refusable. `pointer` is an RFC 6901 pointer to the value that it is about. */
export interface JsonProblem {
  code:
    | 'E_JSON'
    | 'E_DUPLICATE_KEY'
    | 'E_KEYS_EQUAL'
    | 'E_TOO_DEEP'
    | 'E_LONE_SURROGATE'
    | 'E_NUMBER'
    | 'E_INTEGER'
    | 'E_MARKS';
  pointer: string;
  message: string;
}

export interface JsonLimits {
  /** Levels of arrays and objects; a scalar document has none. */
  maxDepth: number;
  /** Combining marks in a row. UAX #15 calls 30 the limit of sane text. */
  maxMarks: number;
  /** Lists integers, too, that `JSON.parse` and `JSON.stringify` turn into other ones. */
  exactIntegers?: boolean;
}

/** More than these are not listed: a hostile text could have one per character. */
export const MAX_PROBLEMS = 20;
const MAX_POINTER = 2_000;

interface Frame {
  array: boolean;
  /** Index of the element being read. */
  index: number;
  key: string;
  keys: Set<string>;
  /** NFC form to first key; only made when some key of the object is not NFC-trivial. */
  normal: Map<string, string> | undefined;
}

/** Below U+0300 every text is in NFC (Unicode: NFC_Quick_Check=Yes, ccc=0). */
const MAY_DENORMALISE = /[^\u0000-\u02FF]/;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /[^"\\\u0000-\u001F]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SPACE = /[ \t\n\r]*/y;
const LITERAL = /true|false|null/y;

/** True when `text` holds more than `max` combining marks (general category M) in a row. Linear. */
export function hasMarkRun(text: string, max: number): boolean {
  if (text.length <= max || !MAY_DENORMALISE.test(text)) return false;
  for (const [run] of text.matchAll(/\p{M}+/gu)) {
    if (run.length <= max) continue;
    let count = 0;
    for (const _ of run) count++;
    if (count > max) return true;
  }
  return false;
}

/** True for a value that may stand for several integers. */
export function isInexact(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/**
 * Reads a JSON text (RFC 8259) from end to end without building its value, and lists what is wrong with it, at most
 * 20 entries; a syntax error ends the list. Without recursion, in linear time. `JSON.parse` keeps none of this: the
 * last of two equal keys wins, `1e400` becomes Infinity.
 */
export function findJsonProblems(text: string, limits: JsonLimits): JsonProblem[] {
  return new Scanner(text, limits).run();
}

function newFrame(array: boolean): Frame {
  return { array, index: 0, key: '', keys: new Set(), normal: undefined };
}

const DEEP_ARRAY: Frame = newFrame(true);
const DEEP_OBJECT: Frame = newFrame(false);

class Scanner {
  private readonly text: string;
  private readonly limits: JsonLimits;
  private readonly problems: JsonProblem[] = [];
  private readonly stack: Frame[] = [];
  private at = 0;

  constructor(text: string, limits: JsonLimits) {
    this.text = text;
    this.limits = limits;
  }

  run(): JsonProblem[] {
    const failedAt = this.document();
    if (failedAt !== undefined) this.syntaxError(failedAt);
    return this.problems;
  }

  /** Gives the place of the syntax error, if there is one. */
  private document(): number | undefined {
    for (;;) {
      // A value starts here.
      this.match(SPACE);
      const first = this.text[this.at];
      if (first === '{' || first === '[') {
        this.open(first === '[');
        this.at++;
        this.match(SPACE);
        if (this.text[this.at] === (first === '[' ? ']' : '}')) {
          this.at++;
          this.stack.pop();
        } else {
          if (first === '{' && !this.key()) return this.at;
          continue;
        }
      } else if (!this.scalar(first)) return this.at;
      // A value has ended: close what ends with it, up to the next value.
      for (;;) {
        this.match(SPACE);
        const frame = this.stack.at(-1);
        if (frame === undefined) return this.at < this.text.length ? this.at : undefined;
        const next = this.text[this.at];
        if (next === ',') {
          this.at++;
          if (frame.array) {
            if (this.stack.length <= this.limits.maxDepth) frame.index++;
          } else {
            this.match(SPACE);
            if (!this.key()) return this.at;
          }
          break;
        }
        if (next !== (frame.array ? ']' : '}')) return this.at;
        this.at++;
        this.stack.pop();
      }
    }
  }

  private open(array: boolean): void {
    const depth = this.stack.length;
    if (depth === this.limits.maxDepth)
      this.report('E_TOO_DEEP', `is nested deeper than ${this.limits.maxDepth} levels`);
    // Below the limit only the brackets matter: a frame for each of 8 million levels would take all memory.
    this.stack.push(depth < this.limits.maxDepth ? newFrame(array) : array ? DEEP_ARRAY : DEEP_OBJECT);
  }

  private scalar(first: string | undefined): boolean {
    if (first === '"') {
      const value = this.string();
      if (value === undefined) return false;
      this.checkText(value);
      return true;
    }
    if (this.match(LITERAL)) return true;
    const start = this.at;
    if (!this.match(NUMBER)) return false;
    this.checkNumber(this.text.slice(start, this.at));
    return true;
  }

  private checkNumber(written: string): void {
    const shown = written.slice(0, 40);
    const value = Number(written);
    if (!Number.isFinite(value)) this.report('E_NUMBER', `is a number that no double can hold (${shown})`);
    else if (this.limits.exactIntegers === true && isInexact(value) && /^-?\d+$/.test(written)) {
      const kept = String(value);
      if (kept !== written)
        this.report('E_INTEGER', `is an integer of which only ${kept} could be kept (${shown})`);
    }
  }

  /** Reads `"key" :`. False on a syntax error. */
  private key(): boolean {
    const frame = this.stack.at(-1);
    if (frame === undefined || this.text[this.at] !== '"') return false;
    const key = this.string();
    if (key === undefined) return false;
    if (this.stack.length <= this.limits.maxDepth) {
      frame.key = key;
      this.checkKey(frame, key);
    }
    this.match(SPACE);
    if (this.text[this.at] !== ':') return false;
    this.at++;
    return true;
  }

  private checkKey(frame: Frame, key: string): void {
    if (frame.keys.has(key)) {
      this.report('E_DUPLICATE_KEY', 'is there twice in one object');
      return;
    }
    this.checkText(key);
    this.checkNormal(frame, key);
    frame.keys.add(key);
  }

  private checkNormal(frame: Frame, key: string): void {
    if (!MAY_DENORMALISE.test(key) && frame.normal === undefined) return;
    frame.normal ??= new Map([...frame.keys].map((earlier) => [this.normal(earlier), earlier]));
    const normal = this.normal(key);
    const twin = frame.normal.get(normal);
    if (twin !== undefined && twin !== key)
      this.report('E_KEYS_EQUAL', 'equals another key of its object after Unicode normalisation (NFC)');
    else frame.normal.set(normal, key);
  }

  /** Normalising a text of marks alone would take minutes; it is refused anyway. */
  private normal(key: string): string {
    return hasMarkRun(key, this.limits.maxMarks) ? key : key.normalize('NFC');
  }

  private checkText(text: string): void {
    if (!text.isWellFormed()) this.report('E_LONE_SURROGATE', 'holds a lone surrogate');
    if (hasMarkRun(text, this.limits.maxMarks))
      this.report('E_MARKS', `holds more than ${this.limits.maxMarks} combining marks in a row`);
  }

  /** Reads a string and gives its value; undefined, and the place in `at`, on a syntax error. */
  private string(): string | undefined {
    const start = this.at;
    this.at++;
    let escaped = false;
    for (;;) {
      this.match(PLAIN);
      const next = this.text[this.at];
      if (next === '"') break;
      if (next !== '\\' || !this.match(ESCAPE)) return undefined;
      escaped = true;
    }
    this.at++;
    if (!escaped) return this.text.slice(start + 1, this.at - 1);
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }

  private match(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  private report(code: JsonProblem['code'], what: string): void {
    // What lies too deep is refused already; its pointers would be as long as the text.
    if (this.problems.length >= MAX_PROBLEMS || this.stack.length > this.limits.maxDepth) return;
    let place = '';
    for (const frame of this.stack) {
      place += pointer(frame.array ? frame.index : frame.key);
      if (place.length > MAX_POINTER) {
        place = `${place.slice(0, MAX_POINTER)}…`;
        break;
      }
    }
    this.problems.push({ code, pointer: place, message: what });
  }

  private syntaxError(at: number): void {
    const before = this.text.slice(0, at);
    const line = before.split('\n').length;
    const column = at - before.lastIndexOf('\n');
    const what = at >= this.text.length ? 'ends too early' : 'is no valid JSON';
    this.problems.push({ code: 'E_JSON', pointer: '', message: `${what} at line ${line}, column ${column}` });
  }
}
