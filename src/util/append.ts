/** Adds items at the end of a list: `list.push(...items)` runs out of stack beyond some hundred thousand. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
