import type { Severity } from '../config/types.ts';
import type { Json } from '../util/json.ts';
import { nfcText } from './equal.ts';
import { severityOf } from './severity.ts';
import type { FieldChange, FieldClass } from './types.ts';

/** One field change, with the severity of its class unless one is given. */
export function field(
  pointer: string,
  fieldClass: FieldClass,
  before: Json | undefined,
  after: Json | undefined,
  severity?: Severity,
): FieldChange {
  return {
    pointer,
    class: fieldClass,
    severity: severity ?? severityOf(fieldClass, after),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}

/**
 * The change of a text, or of what stands where a text belongs: `text-added`, `text-removed`, `encoding-only`,
 * `whitespace-only`, else `changed` (`text-changed`).
 */
export function textField(
  pointer: string,
  before: Json | undefined,
  after: Json | undefined,
  changed: FieldClass = 'text-changed',
): FieldChange {
  if (typeof before === 'string' && typeof after === 'string') {
    if (nfcText(before) === nfcText(after)) return field(pointer, 'encoding-only', before, after);
    if (isWhitespaceOnly(before, after)) return field(pointer, 'whitespace-only', before, after);
    return field(pointer, changed, before, after);
  }
  if (changed !== 'text-changed') return field(pointer, changed, before, after);
  if (before === undefined) return field(pointer, 'text-added', before, after);
  if (after === undefined) return field(pointer, 'text-removed', before, after);
  return field(pointer, 'text-changed', before, after);
}

/**
 * True when two different texts differ only in how their words are spaced: blanks, tabs and line ends. `no where`
 * and `nowhere` are other words; a no-break space or a zero-width character is a character, no spacing.
 */
export function isWhitespaceOnly(before: string, after: string): boolean {
  return before !== after && squeeze(before) === squeeze(after);
}

function squeeze(text: string): string {
  const squeezed = text.replace(/[\t\n\r ]+/g, ' ');
  return squeezed.slice(squeezed.startsWith(' ') ? 1 : 0, squeezed.endsWith(' ') ? -1 : undefined);
}
