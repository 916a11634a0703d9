import { code, type Inline, joined, text } from './document.ts';

/** So many names that count up are one entry. */
const SERIES = 20;

/**
 * Names in order, where those that only count up are one entry: `page/1` to `page/100`. A name stands for
 * itself only when it is exactly what counting gives, so that an entry holds nothing that it does not say.
 */
export function nameEntries(names: readonly string[]): Inline[][] {
  const series = new Map<string, { start: number; end: number; count: number; numbers: Set<number> }>();
  const places = names.map((name) => {
    const found = /^([\s\S]*?)(0|[1-9]\d{0,8})(\D*)$/.exec(name);
    if (found === null || /\d$/.test(found[1] ?? '')) return undefined;
    const key = JSON.stringify([found[1], found[3]]);
    const number = Number(found[2]);
    const there = series.get(key) ?? { start: number, end: number, count: 0, numbers: new Set<number>() };
    there.start = Math.min(there.start, number);
    there.end = Math.max(there.end, number);
    there.numbers.add(number);
    there.count++;
    series.set(key, there);
    return { key, prefix: found[1] ?? '', suffix: found[3] ?? '' };
  });
  const told = new Set<string>();
  return names.flatMap((name, index): Inline[][] => {
    const place = places[index];
    const run = place === undefined ? undefined : series.get(place.key);
    const whole =
      run !== undefined &&
      run.count >= SERIES &&
      run.count === run.numbers.size &&
      run.end - run.start + 1 === run.count;
    if (place === undefined || run === undefined || !whole) return [[code(name)]];
    if (told.has(place.key)) return [];
    told.add(place.key);
    const at = (number: number): Inline => code(`${place.prefix}${number}${place.suffix}`);
    return [[at(run.start), text(' to '), at(run.end)]];
  });
}

/** {@link nameEntries} on one line. */
export function nameList(names: readonly string[], separator = ', '): Inline[] {
  return joined(nameEntries(names), separator);
}
