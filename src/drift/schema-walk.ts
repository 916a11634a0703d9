import { append } from '../util/append.ts';
import type { Json, JsonObject } from '../util/json.ts';
import { field } from './field.ts';
import { hasProse } from './severity.ts';
import type { FieldChange, FieldClass } from './types.ts';

/** Schema nodes that one comparison looks at before it gets coarse; real surfaces stay below 10,000 a tool. */
const MAX_NODES = 100_000;

/** Compositions within compositions are written out again at each level; real ones come to a few kilobytes. */
const MAX_TEXT = 20_000_000;

/** What one comparison of two schema documents carries along. */
export interface SchemaWalk {
  /** The two documents, for `$ref`s into them. */
  readonly before: Json;
  readonly after: Json;
  readonly fields: FieldChange[];
  /** Nodes that may still be looked at. */
  left: number;
  /** Characters of branches that may still be written out to find equal ones. */
  text: number;
  add(at: string, fieldClass: FieldClass, before: Json | undefined, after: Json | undefined): void;
  /** A field as this kind of schema classes it. */
  adjust(change: FieldChange): FieldChange[];
  /** Compares two subschemas. */
  compare(walk: SchemaWalk, before: Json, after: Json, at: string, depth: number): void;
}

/** Compares two schemas of which one is the other one written in another way; false when that is not so. */
export type Rewrite = (
  walk: SchemaWalk,
  before: JsonObject,
  after: JsonObject,
  at: string,
  depth: number,
) => boolean;

/** Compares the values of one keyword, of which either may be absent, at its pointer; `before` and `after` hold it. */
export type KeywordComparison = (
  walk: SchemaWalk,
  a: Json | undefined,
  b: Json | undefined,
  at: string,
  before: JsonObject,
  after: JsonObject,
) => void;

export function startWalk(
  before: Json,
  after: Json,
  use: 'input' | 'output',
  compare: SchemaWalk['compare'],
): SchemaWalk {
  const fields: FieldChange[] = [];
  const adjust = (change: FieldChange): FieldChange[] => [use === 'output' ? asOutput(change) : change];
  return {
    before,
    after,
    fields,
    left: MAX_NODES,
    text: MAX_TEXT,
    compare,
    adjust,
    add: (at, fieldClass, old, now) => append(fields, adjust(field(at, fieldClass, old, now))),
  };
}

/**
 * An output schema asks nothing of the model, so that its structure weighs less; a sentence in it is read like any
 * other.
 */
function asOutput(change: FieldChange): FieldChange {
  const text = change.class.startsWith('text-') || hasProse(change.after);
  return {
    ...change,
    class: change.class === 'schema-changed' ? 'output-schema-changed' : change.class,
    severity: change.severity === 'medium' && !text ? 'low' : change.severity,
  };
}
