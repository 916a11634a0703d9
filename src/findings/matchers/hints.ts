import { isObject, own } from '../../util/json.ts';
import type { PlaceHit, SchemaContext } from '../rule.ts';
import { shownValue } from './shown-value.ts';

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
/** A citation or a date that is formatted destroys nothing, a disk does. */
const DESTROYS =
  /^(?:[a-z0-9]+_)?(?:(?:delete|remove|drop|destroy|wipe|purge|truncate|overwrite|erase|kill|terminate|transfer|pay|wire)(?:_|$)|format_(?:[a-z0-9]+_)?(?:disks?|drives?|volumes?|partitions?|devices?|storage|cards?|media|filesystems?|usb|sd)(?:_|$))/;

/** Hints that are no booleans, and a read-only hint on a tool that is named for destroying. */
export function oddHints(context: SchemaContext): PlaceHit[] {
  const annotations = own(context.definition, 'annotations');
  if (context.kind !== 'tool' || !isObject(annotations)) return [];
  const hits: PlaceHit[] = [];
  for (const hint of HINTS) {
    const value = own(annotations, hint);
    if (value === undefined || value === null || typeof value === 'boolean') continue;
    hits.push({
      pointer: `/annotations/${hint}`,
      shown: shownValue(value),
      message: 'is neither true nor false',
      severity: 'medium',
    });
  }
  const snake = context.name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-\s.]+/g, '_')
    .toLowerCase();
  if (own(annotations, 'readOnlyHint') === true && DESTROYS.test(snake))
    hits.push({
      pointer: '/annotations/readOnlyHint',
      shown: `${context.name}: readOnlyHint true`,
      message: 'says read-only, but is named for changing things',
    });
  return hits;
}
