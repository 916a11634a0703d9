import type { Severity } from '../config/types.ts';
import { isObject, type Json, type JsonObject, own, pointer } from '../util/json.ts';
import { sameJson } from './equal.ts';
import { field, textField } from './field.ts';
import { hasProse } from './severity.ts';
import type { FieldChange } from './types.ts';

interface Hint {
  /** What clients must assume when the hint is absent (MCP schema 2025-03-26 and later, `ToolAnnotations`). */
  default: boolean;
  /** The value that promises less: what a careful client asks about. */
  danger: boolean;
  /** When the promise is taken back. */
  loosened: Severity;
  /** When a promise appears. Clients approve on `readOnlyHint` and `destructiveHint` without asking. */
  tightened: Severity;
}

const HINTS: ReadonlyMap<string, Hint> = new Map([
  ['readOnlyHint', { default: false, danger: false, loosened: 'high', tightened: 'medium' }],
  ['destructiveHint', { default: true, danger: true, loosened: 'high', tightened: 'medium' }],
  ['idempotentHint', { default: false, danger: false, loosened: 'medium', tightened: 'low' }],
  ['openWorldHint', { default: true, danger: true, loosened: 'high', tightened: 'low' }],
]);

/** Hints that mean something only while the tool is not read-only. */
const WRITE_ONLY: ReadonlySet<string> = new Set(['destructiveHint', 'idempotentHint']);

/** Differences of a tool's `annotations` (absent is the same as empty), at pointers below `base`. */
export function compareAnnotations(
  before: Json | undefined,
  after: Json | undefined,
  base = '/annotations',
): FieldChange[] {
  if (sameJson(before, after)) return [];
  if ((before !== undefined && !isObject(before)) || (after !== undefined && !isObject(after)))
    return [field(base, 'field-changed', before, after, 'medium')];
  const old: JsonObject = before ?? {};
  const now: JsonObject = after ?? {};
  const fields: FieldChange[] = [];
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [a, b] = [own(old, key), own(now, key)];
    if (sameJson(a, b)) continue;
    const at = base + pointer(key);
    const hint = HINTS.get(key);
    if (hint) fields.push(compareHint(at, key, hint, old, now));
    else if (key === 'title') fields.push(textField(at, a, b, 'title-changed'));
    else fields.push(field(at, 'field-changed', a, b, hasProse(b) ? 'medium' : 'low'));
  }
  // `{}` beside no annotations at all.
  return fields.length > 0 ? fields : [field(base, 'field-changed', before, after)];
}

function compareHint(
  at: string,
  key: string,
  hint: Hint,
  before: JsonObject,
  after: JsonObject,
): FieldChange {
  const [a, b] = [own(before, key), own(after, key)];
  // Only a boolean is a promise: a client that reads the text "true" as true is not one to rely on.
  const oddBefore = a !== undefined && typeof a !== 'boolean';
  const oddAfter = b !== undefined && typeof b !== 'boolean';
  const was = typeof a === 'boolean' ? a : oddBefore ? hint.danger : hint.default;
  const is = typeof b === 'boolean' ? b : oddAfter ? hint.danger : hint.default;
  if (was === is) return field(at, 'field-changed', a, b, oddAfter ? 'medium' : 'low');
  const moot = WRITE_ONLY.has(key) && own(after, 'readOnlyHint') === true;
  if (is !== hint.danger) return field(at, 'hint-tightened', a, b, moot ? 'low' : hint.tightened);
  return field(at, 'hint-loosened', a, b, moot ? 'low' : hint.loosened);
}
