import type { Severity } from '../config/types.ts';
import type { Json } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';
import type { Change, FieldChange, FieldClass } from './types.ts';

const RANK: Record<Severity, number> = { critical: 0, high: 1, medium: 2, low: 3, info: 4 };

/**
 * What a class of change introduces at worst. High: what clients act on without asking, or another program. Medium:
 * the model is told something else, or is asked to send more. Low: less is offered, or only the form changed.
 */
const BASE: Record<FieldClass, Severity> = {
  'source-changed': 'high',
  'hint-loosened': 'high',
  unpinned: 'high',
  'launch-changed': 'medium',
  'text-changed': 'medium',
  'text-added': 'medium',
  'property-added-required': 'medium',
  'required-added': 'medium',
  'type-changed': 'medium',
  'additional-properties-opened': 'medium',
  'default-changed': 'medium',
  'const-changed': 'medium',
  'ref-changed': 'medium',
  'composition-changed': 'medium',
  'schema-changed': 'medium',
  'property-added-optional': 'low',
  'property-removed': 'low',
  'required-removed': 'low',
  'type-widened': 'low',
  'type-narrowed': 'low',
  'enum-widened': 'low',
  'enum-narrowed': 'low',
  'constraint-relaxed': 'low',
  'constraint-tightened': 'low',
  'additional-properties-closed': 'low',
  'format-changed': 'low',
  'output-schema-changed': 'low',
  'hint-tightened': 'low',
  'meta-changed': 'low',
  'field-changed': 'low',
  'text-removed': 'low',
  'title-changed': 'low',
  'icon-changed': 'low',
  'whitespace-only': 'low',
  'encoding-only': 'low',
  'schema-plumbing': 'low',
};

/** Low classes whose new value can carry a sentence to the model: with one in it they are medium. */
const CARRIERS: ReadonlySet<FieldClass> = new Set<FieldClass>([
  'property-added-optional',
  'type-widened',
  'type-narrowed',
  'enum-widened',
  'enum-narrowed',
  'constraint-relaxed',
  'constraint-tightened',
  'additional-properties-closed',
  'format-changed',
  'output-schema-changed',
  'meta-changed',
  'field-changed',
]);

/** A title is shown to people; one of this many characters is no title any more. */
const LONG_TITLE = 80;

/** Values looked at for a sentence. */
const PROSE_BOUND = 5_000;

/** The severity of one field change, by its class and by what its new value holds. */
export function severityOf(fieldClass: FieldClass, after?: Json): Severity {
  const base = BASE[fieldClass];
  if (base !== 'low') return base;
  if (fieldClass === 'title-changed')
    return typeof after === 'string' && after.length > LONG_TITLE ? 'medium' : 'low';
  return CARRIERS.has(fieldClass) && hasProse(after) ? 'medium' : 'low';
}

/** True when a string or key in the value holds three words: something a model can read as a sentence. */
export function hasProse(value: Json | undefined): boolean {
  const stack: (Json | undefined)[] = [value];
  let left = PROSE_BOUND;
  while (stack.length > 0) {
    if (left-- === 0) return true;
    const item = stack.pop();
    if (typeof item === 'string') {
      if (isProse(item)) return true;
    } else if (typeof item === 'object' && item !== null) {
      for (const [key, member] of Object.entries(item)) {
        if (!Array.isArray(item) && isProse(key)) return true;
        stack.push(member);
      }
    }
  }
  return false;
}

function isProse(text: string): boolean {
  if (!/\s/.test(text)) return false;
  let words = 0;
  // One class, greedy: linear in the text's length, whatever it holds.
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu))
    if (/^\p{L}{2}/u.test(word) && ++words === 3) return true;
  return false;
}

/** Rank of a severity, 0 the worst. */
export function severityRank(severity: Severity): number {
  return RANK[severity];
}

/** The worst of some severities; `info` when there is none. */
export function worst(severities: Iterable<Severity>): Severity {
  let result: Severity = 'info';
  for (const severity of severities) if (RANK[severity] < RANK[result]) result = severity;
  return result;
}

/** Worst first, then by pointer, class and place; stable. */
export function orderFields(fields: readonly FieldChange[]): FieldChange[] {
  return [...fields].sort(
    (a, b) =>
      RANK[a.severity] - RANK[b.severity] || byCodeUnit(a.pointer, b.pointer) || byCodeUnit(a.class, b.class),
  );
}

const KIND_ORDER = ['server', 'instructions', 'tool', 'prompt', 'resource', 'resourceTemplate', 'skill'];

/** Worst first, then by server, kind (the server itself first) and name. */
export function orderChanges(changes: readonly Change[]): Change[] {
  return [...changes].sort(
    (a, b) =>
      RANK[a.severity] - RANK[b.severity] ||
      byCodeUnit(a.server, b.server) ||
      KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind) ||
      byCodeUnit(a.name, b.name),
  );
}
