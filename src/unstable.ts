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
  const masks = proposedMasks(server, changes);
  const where =
    change.change === 'changed'
      ? `${change.kind}${name} at ${change.fields[0]?.pointer || '/'}${more}`
      : `${change.kind}${name} in one of them only${more}`;
  return {
    code: 'E_UNSTABLE',
    message:
      `server ${JSON.stringify(server)} showed two different surfaces in two starts (${where}); ` +
      (masks === undefined
        ? 'find out what it depends on, or skip it with a reason in agentgate.yml'
        : `if the text is harmless, mask it in agentgate.yml: ${masks}`),
  };
}

/** Masks that are proposed at once. */
const MAX_MASKS = 10;

/** One line of YAML for the policy, with a mask for each text that differs; undefined when the first difference is no text. */
function proposedMasks(server: string, changes: Change[]): string | undefined {
  if (changes[0] === undefined || maskRules(changes[0]).length === 0) return undefined;
  const rules = [...new Set(changes.flatMap(maskRules))].slice(0, MAX_MASKS);
  return `servers: { ${JSON.stringify(server)}: { volatile: [${rules.join(', ')}] } }`;
}

function maskRules(change: Change): string[] {
  if (change.change !== 'changed' || change.kind === 'server' || change.kind === 'skill') return [];
  return change.fields.flatMap(({ before, after, pointer }) => {
    if (typeof before !== 'string' || typeof after !== 'string') return [];
    const { pattern, isList } = patternFor(before, after);
    // A pattern of these words alone may stand for every tool: one rule, where several list them.
    const name = isList ? '*' : change.name;
    const key =
      change.kind === 'instructions' ? 'instructions: true' : `${change.kind}: ${JSON.stringify(name)}`;
    return [
      `{ ${key}, field: ${JSON.stringify(pointer)}, pattern: '${pattern.replaceAll("'", "''")}', reason: changes at every start }`,
    ];
  });
}

/** Between the items of a list. */
const SEPARATOR = /[,;|] */;

/** Longest text for which {@link sameItems} spells out the items. */
const MAX_ITEMS = 400;

/**
 * For texts that list the same items in another order, as a set of Python does at every start: these items in any order
 * and nothing else, so that the mask hides no other text. Undefined for other texts.
 */
function sameItems(before: string, after: string): string | undefined {
  const [separator] = SEPARATOR.exec(before) ?? [];
  if (separator === undefined || before.length !== after.length || before.length > MAX_ITEMS)
    return undefined;
  const [old, now] = [before, after].map((text) => text.split(separator).sort());
  if (old === undefined || now === undefined || old.join('\n') !== now.join('\n')) return undefined;
  const item = `(?:${[...new Set(old)].map(escaped).join('|')})`;
  return `${item}(?:${escaped(separator)}${item}){${old.length - 1}}`;
}

/** Characters of the text around the difference that the pattern holds. */
const CONTEXT = 16;

/**
 * A regular expression for what differs between two texts, with a little of the text around it: the word that holds the
 * difference, as `\d+` when both are numbers.
 */
function patternFor(before: string, after: string): { pattern: string; isList: boolean } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  while (start > 0 && /\w/.test(before[start - 1] ?? '')) start--;
  while (end > 0 && /\w/.test(before.at(-end) ?? '')) end--;
  const list = listAround(before, start, end);
  const items = sameItems(
    before.slice(list.start, before.length - list.end),
    after.slice(list.start, after.length - list.end),
  );
  if (items !== undefined) ({ start, end } = list);
  const parts = [before, after].map((text) => text.slice(start, text.length - end));
  const middle =
    items ??
    (parts.every((part) => /^\d+$/.test(part))
      ? '\\d+'
      : parts.every((part) => /^\S+$/.test(part))
        ? '\\S+'
        : '[\\s\\S]*?');
  const left = before.slice(Math.max(0, start - CONTEXT), start);
  const right = before.slice(before.length - end, before.length - end + CONTEXT);
  // Without text around it a pattern holds to the text's ends: else it would match words of any other text, or nothing.
  return {
    pattern: `${start === 0 ? '^' : ''}${escaped(left)}${middle}${escaped(right)}${end === 0 ? '$' : ''}`,
    isList: items !== undefined && start + end === 0,
  };
}

/** Characters before and after a difference in which the rest of its list is looked for. */
const NEARBY = 1_000;

/** The difference with the items of a list that stand before and after it, which are the same by chance. */
function listAround(text: string, start: number, end: number): { start: number; end: number } {
  const [separator] = SEPARATOR.exec(text.slice(start, text.length - end)) ?? [];
  if (separator === undefined) return { start, end };
  const item = '[^\\s,;|]{0,59}[^\\s,;|.!?:)]';
  const before =
    new RegExp(`(?:${item}${escaped(separator)}){1,60}$`).exec(
      text.slice(Math.max(0, start - NEARBY), start),
    )?.[0] ?? '';
  const after =
    new RegExp(`^(?:${escaped(separator)}${item}){1,60}`).exec(
      text.slice(text.length - end).slice(0, NEARBY),
    )?.[0] ?? '';
  return { start: start - before.length, end: end - after.length };
}

/** Literal in a regular expression with the flag `u`, on one line. */
function escaped(text: string): string {
  return literalPattern(text)
    .replace(/\s/g, (space) => (space === ' ' ? ' ' : '\\s'))
    .replace(/[^\x20-\x7e]/gu, '.');
}
