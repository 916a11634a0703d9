/**
 * Orders strings by UTF-16 code unit, as RFC 8785 §3.2.3 orders keys. `localeCompare` depends on ICU data and
 * is not that order.
 */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The map's entries, keys in UTF-16 code unit order. */
export function sortedEntries<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => byCodeUnit(a, b));
}
