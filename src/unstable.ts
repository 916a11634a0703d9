import type { CaptureError } from './capture/types.ts';
import { compareServer } from './drift/compare.ts';
import type { Change } from './drift/types.ts';
import type { LockedServer } from './lock/types.ts';
import { literalPattern } from './util/pattern.ts';

/**
 * What to say when two starts of one server in a row show two surfaces: it cannot be pinned. Names the first
 * field and proposes a mask for the policy. Undefined when both are equal.
 */
export function unstableError(
  server: string,
  first: LockedServer,
  second: LockedServer,
): CaptureError | undefined {
  const { changes } = compareServer(server, first, second, { accepted: false });
  const change = changes[0];
  if (!change) return undefined;
  const name = change.name === '' ? '' : ` ${JSON.stringify(change.name)}`;
  const more = changes.length > 1 ? ` and ${changes.length - 1} more` : '';
  const mask = proposedMask(server, change);
  const where =
    change.change === 'changed'
      ? `${change.kind}${name} at ${change.fields[0]?.pointer || '/'}${more}`
      : `${change.kind}${name} in one of them only${more}`;
  return {
    code: 'E_UNSTABLE',
    message:
      `server ${JSON.stringify(server)} showed two different surfaces in two starts (${where}); ` +
      (mask === undefined
        ? 'find out what it depends on, or skip it with a reason in agentgate.yml'
        : `if the text is harmless, mask it in agentgate.yml: ${mask}`),
  };
}

/** One line of YAML for the policy, undefined when the difference is no text. */
function proposedMask(server: string, change: Change): string | undefined {
  const field = change.fields[0];
  if (change.change !== 'changed' || change.kind === 'server' || change.kind === 'skill') return undefined;
  if (typeof field?.before !== 'string' || typeof field.after !== 'string') return undefined;
  const key =
    change.kind === 'instructions' ? 'instructions: true' : `${change.kind}: ${JSON.stringify(change.name)}`;
  const pattern = patternFor(field.before, field.after);
  const rule = `${key}, field: ${JSON.stringify(field.pointer)}, pattern: '${pattern.replaceAll("'", "''")}'`;
  return `servers: { ${JSON.stringify(server)}: { volatile: [{ ${rule}, reason: changes at every start }] } }`;
}

/** Characters of the text around the difference that the pattern holds. */
const CONTEXT = 16;

/**
 * A regular expression for what differs between two texts, with a little of the text around it: the word that holds the
 * difference, as `\d+` when both are numbers.
 */
function patternFor(before: string, after: string): string {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  while (start > 0 && /\w/.test(before[start - 1] ?? '')) start--;
  while (end > 0 && /\w/.test(before.at(-end) ?? '')) end--;
  const parts = [before, after].map((text) => text.slice(start, text.length - end));
  const middle = parts.every((part) => /^\d+$/.test(part))
    ? '\\d+'
    : parts.every((part) => /^\S+$/.test(part))
      ? '\\S+'
      : '[\\s\\S]*?';
  const left = before.slice(Math.max(0, start - CONTEXT), start).replace(/^[\s\S]*[\r\n]/, '');
  const right = before
    .slice(before.length - end, before.length - end + CONTEXT)
    .replace(/[\r\n][\s\S]*$/, '');
  return `${escaped(left)}${middle}${escaped(right)}`;
}

/** Literal in a regular expression with the flag `u`. */
function escaped(text: string): string {
  return literalPattern(text).replace(/[^\x20-\x7e]/gu, '.');
}
