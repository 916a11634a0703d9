import type { VolatileRule } from '../config/types.ts';

/** What a rule masks, in words: `what matches \d+ nodes at /description of tool search`. */
export function volatileText(rule: VolatileRule): string {
  const { field, pattern, instructions } = rule;
  const target = (['tool', 'prompt', 'resource', 'resourceTemplate'] as const).find(
    (each) => rule[each] !== undefined,
  );
  const where = instructions === true ? 'instructions' : `${target} ${target && rule[target]}`;
  return `what matches ${pattern.source} at ${field} of ${where}`;
}
