import type { Json } from '../../util/json.ts';

/** A value as evidence shows it. */
export function shownValue(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
