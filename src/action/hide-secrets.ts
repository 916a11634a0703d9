import type { Report } from '../report/model.ts';

/** Shorter values (`info`, `8080`) are settings rather than secrets, and ordinary words of the texts around them. */
const MIN_LENGTH = 8;
const REPLACEMENT = '***';

/**
 * The report without the values that came from the job's environment. A server can repeat a secret that it was given
 * in what it says of itself; the log is masked by the runner, the comment, summary and files are not. Only whole
 * values are replaced: a pattern of what looks like a secret would let a server hide text from the reader.
 */
export function hideSecrets(report: Report, secrets: readonly string[]): Report {
  const values = [...new Set(secrets.flatMap((secret) => [secret, secret.trim()]))]
    .filter((value) => value.length >= MIN_LENGTH)
    .flatMap((value) => [value, encodeURIComponent(value)])
    .sort((a, b) => b.length - a.length);
  if (values.length === 0) return report;
  const hidden = (text: string): string =>
    values.reduce((sum, value) => (sum.includes(value) ? sum.replaceAll(value, REPLACEMENT) : sum), text);
  return mapStrings(report, hidden) as Report;
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
