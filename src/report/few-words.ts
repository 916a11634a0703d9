import { code, type Inline, text } from './document.ts';
import type { ReportField } from './model.ts';
import { type DiffStyle, textDiff } from './text-diff.ts';
import { fieldInlines } from './words.ts';

/**
 * The changed words of a text field, when they are so few that a reader finds them sooner here than in the lines:
 * `retries` → `retry`, added `now`. A `diff` fence shows no emphasis inside a line. Empty when they are many.
 */
export function fewWords(field: ReportField, style: DiffStyle): Inline[][] {
  const { before, after } = field;
  if (typeof before !== 'string' || typeof after !== 'string') return [];
  const { few } = textDiff(before, after, style);
  if (few === undefined) return [];
  return few.map((change, index): Inline[] => {
    const place = index > 0 || field.pointer === '/text' ? [] : [...fieldInlines(field.pointer), text(': ')];
    if (change.before === '') return [...place, text('added '), code(change.after)];
    if (change.after === '') return [...place, text('removed '), code(change.before)];
    return [...place, code(change.before), text(' → '), code(change.after)];
  });
}
