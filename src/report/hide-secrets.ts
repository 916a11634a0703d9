import { createValueMask } from '../util/redact.ts';
import type { Report } from './model.ts';

/** Shorter values (`info`, `8080`) are settings rather than secrets, and ordinary words of the texts around them. */
const MIN_LENGTH = 8;

/**
 * The report without the values that came from the job's environment. A server can repeat a secret that it was given
 * in what it says of itself; a runner masks its log, but neither comment, summary nor files. Only the values are
 * replaced, in the forms that `createValueMask` knows: a pattern of what looks like a secret would let a server hide
 * text from the reader.
 */
export function hideSecrets(report: Report, secrets: readonly string[]): Report {
  const values = secrets.filter((value) => value.trim().length >= MIN_LENGTH);
  if (values.length === 0) return report;
  return mapStrings(report, createValueMask(values, MIN_LENGTH)) as Report;
}

function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (typeof value !== 'object' || value === null) return value;
  // From entries, so that a key `__proto__` stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [map(key), mapStrings(member, map)]),
  );
}
