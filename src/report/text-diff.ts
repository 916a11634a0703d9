import { type DiffLine, hunksOf, MOST_LINES, type TextHunks } from '../drift/text.ts';
import { columnsOf } from '../drift/text-columns.ts';
import { type Comparison, compareTexts, WORK } from '../drift/text-compare.ts';
import { fewChanges, type WordChange } from '../drift/text-few.ts';
import { append } from '../util/append.ts';
import { letGo } from '../util/garbage.ts';
import { visible } from '../util/hidden.ts';
import type { Json } from '../util/json.ts';
import { levelFor } from '../util/shares.ts';
import type { Report } from './model.ts';
import { type SpaceSigns, spaceNote, spaceSigns, withSpaceSigns } from './space-signs.ts';
import { FENCE_WIDTH, type FenceLine, signed, wrapLines } from './text-lines.ts';

/** Steps that all texts of a report may cost together, each about 50 ns, and that one may cost at least. */
const ALL_WORK = 24_000_000;
const LEAST_WORK = 10_000;
/** Milliseconds for one text whatever its steps: the last resort, as it makes a report's text depend on the machine. */
const LAST_MS = 3_000;
/** Lines of a text that are laid out at most, of each side, when a report has many large texts. */
const FEWEST_LINES = 120;
/** Leaves of a field that are looked at to tell its size. */
const LEAVES = 2_000;

/** The changed lines of a text, and its changed words when they are few. */
export interface DrawnDiff {
  lines: FenceLine[];
  few?: WordChange[];
}

/** What was found about a report's texts, so that comment, summary and log do not do it again. */
export interface Diffs {
  /** Steps for one text. */
  readonly work: number;
  /** By old text, new text. */
  readonly compared: Map<string, Map<string, Comparison>>;
  /** By width, old text, new text. */
  readonly drawn: Map<number, Map<string, Map<string, DrawnDiff>>>;
}

/** Where diffs are drawn: what is known, and the columns of a line, {@link FENCE_WIDTH} when absent. */
export interface DiffStyle {
  diffs: Diffs;
  width?: number;
}

const STORES = new WeakMap<Report, Diffs>();

/**
 * The diffs of a report. What one text may cost follows from the texts of the whole report and not from a clock or from
 * the order of renderings, so that the same report always gives the same text.
 */
export function diffsOf(report: Report): Diffs {
  let diffs = STORES.get(report);
  if (diffs === undefined) {
    diffs = { work: workFor(report), compared: new Map(), drawn: new Map() };
    STORES.set(report, diffs);
  }
  return diffs;
}

/** The level at which texts are cut off so that all together keep to {@link ALL_WORK}; small ones are never cut. */
function workFor(report: Report): number {
  const costs = report.changes
    .flatMap((change) => (change.change === 'changed' || change.change === 'renamed' ? change.fields : []))
    .filter((field) => field.before !== undefined && field.after !== undefined)
    .map((field) => costOf(sizeOf(field.before) + sizeOf(field.after)));
  return Math.min(WORK, Math.max(LEAST_WORK, Math.floor(levelFor(costs, ALL_WORK))));
}

function costOf(size: number): number {
  return Math.min(WORK, size * 5 + Math.min(1_000, size / 8) ** 2);
}

/** Characters of the strings in a value. */
function sizeOf(value: Json | undefined): number {
  let size = 0;
  let leaves = 0;
  const walk = (node: Json): void => {
    if (++leaves > LEAVES) return;
    if (typeof node === 'string') size += node.length;
    else if (node !== null && typeof node === 'object') for (const inner of Object.values(node)) walk(inner);
    else size += 8;
  };
  if (value !== undefined) walk(value);
  return size;
}

/** The changed hunks between two texts as lines of a `diff` fence. */
export function diffLines(before: string, after: string, style: DiffStyle): FenceLine[] {
  return textDiff(before, after, style).lines;
}

/** {@link diffLines} with the changed words, if they are few. */
export function textDiff(before: string, after: string, style: DiffStyle): DrawnDiff {
  if (before === after) return { lines: [] };
  const { diffs, width = FENCE_WIDTH } = style;
  return known(within(diffs.drawn, width, new Map()), before, after, () => {
    const comparison = known(diffs.compared, before, after, () =>
      compareTexts(before, after, { work: diffs.work, maxMs: LAST_MS }),
    );
    const share = Math.floor((MOST_LINES * diffs.work) / WORK);
    const maxLines = Math.max(FEWEST_LINES, share);
    const hunks = hunksOf(comparison.runs, { width, maxLines });
    const few = comparison.by === 'word' ? fewChanges(comparison.runs) : undefined;
    letGo(before.length + after.length);
    return { lines: fenceLines(before, after, hunks, width), ...(few === undefined ? {} : { few }) };
  });
}

function known<T>(store: Map<string, Map<string, T>>, before: string, after: string, make: () => T): T {
  const inner = within(store, before, new Map<string, T>());
  const there = inner.get(after);
  if (there !== undefined) return there;
  const made = make();
  inner.set(after, made);
  return made;
}

function within<K, V>(store: Map<K, V>, key: K, fresh: V): V {
  const there = store.get(key);
  if (there !== undefined) return there;
  store.set(key, fresh);
  return fresh;
}

function fenceLines(before: string, after: string, { hunks, left }: TextHunks, width: number): FenceLine[] {
  const note = wholeNote(before, after);
  if (note?.enough === true) return [note.text];
  const signs = spaceSigns(before, after);
  const lines: FenceLine[] = note === undefined ? [] : [note.text];
  let noted = false;
  let more = left.removed + left.added;
  hunks.forEach((hunk, index) => {
    more -= hunk.left;
    if (hunk.left > 0) lines.push({ text: '', count: hunk.left });
    else if (index > 0) lines.push('@@ … @@');
    const spacing = hunk.lines.some((line) => line.spacing === true);
    if (spacing && !noted) lines.push(`@@ ${spaceNote(signs)} @@`);
    noted ||= spacing;
    append(
      lines,
      hunk.lines.flatMap((line) => fenceLine(line, signs, width)),
    );
  });
  if (more > 0) lines.push({ text: '', count: more });
  return lines;
}

/** What is true of the texts as wholes, and says more than their lines. */
function wholeNote(before: string, after: string): { text: string; enough: boolean } | undefined {
  const [old, now] = [before.includes('\r\n'), after.includes('\r\n')];
  if (old !== now && before.replaceAll('\r\n', '\n') === after.replaceAll('\r\n', '\n'))
    return { text: `@@ only the line ends changed: ${old ? 'CRLF → LF' : 'LF → CRLF'} @@`, enough: true };
  if (before.normalize('NFC') === after.normalize('NFC'))
    return { text: '@@ the same characters in another Unicode form @@', enough: false };
  return undefined;
}

/** A line of a hunk with its sign; wrapped again where hidden characters that are shown made it longer. */
function fenceLine(line: DiffLine, signs: SpaceSigns, width: number): FenceLine[] {
  const spacing = line.spacing === true;
  const raw = line.spans.map((span) => span.text).join('');
  // What is left of a line whose beginning stands above: its line end alone.
  if (raw.trim() === '' && !line.starts && !spacing) return [];
  const parts = line.spans.map((span) =>
    spacing && span.changed ? withSpaceSigns(span.text, signs) : span.text,
  );
  if (spacing && line.endChanged === true) parts.push(signs.end);
  let joined = parts.join('');
  if (line.ends) joined = joined.replace(/\r$/, '');
  const lead = `${line.kind} ${line.cutBefore === true ? '… ' : ''}`;
  const indent = !line.starts && !spacing && joined.startsWith(' ') ? 1 : 0;
  const shown = visible(joined).slice(indent).trimEnd();
  const text = `${lead}${shown}${line.cutAfter === true ? ' …' : ''}`.trimEnd();
  if (text.length > width + 2 && columnsOf(shown) > width)
    return signed(line.kind, wrapLines(text.slice(2), width));
  if (line.near !== true) return [text];
  const plain = shown.length + indent >= joined.trimEnd().length && visible(joined) === joined;
  const place = (at: number): number =>
    lead.length - indent + (plain ? at : visible(joined.slice(0, at)).length);
  const marks: [number, number][] = [];
  let at = 0;
  line.spans.forEach((span, index) => {
    const part = parts[index] ?? '';
    const [start, end] = [Math.max(lead.length, place(at)), Math.min(place(at + part.length), text.length)];
    if (span.changed && start < end && part.trim() !== '') marks.push([start, end]);
    at += part.length;
  });
  return [marks.length === 0 ? text : { text, marks }];
}
