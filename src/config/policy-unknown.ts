import type { Policy } from './types.ts';

/** Something in the policy that names a server which is not there. */
export interface UnknownServer {
  code: 'policy-unknown-server';
  message: string;
}

/**
 * What the policy says of servers that nothing declares: a misspelt key would silently do nothing. `known` holds every
 * declared key. Skills folders count only where they were looked for (`skills`).
 */
export function unknownServers(
  policy: Policy,
  known: readonly string[],
  options: { skills: boolean },
): UnknownServer[] {
  const isUnknown = (key: string): boolean =>
    !known.includes(key) && (options.skills || !key.startsWith('skills:'));
  const notes: UnknownServer[] = [];
  const note = (line: number | undefined, what: string, key: string): void => {
    const place = `${policy.file ?? 'the policy'}${line === undefined ? '' : `:${line}`}`;
    const near = nearest(key, known);
    const advice = near === undefined ? 'correct or remove it' : `is ${JSON.stringify(near)} meant?`;
    notes.push({
      code: 'policy-unknown-server',
      message: `${place}: ${what} ${JSON.stringify(key)}, which no config declares, so it does nothing; ${advice}`,
    });
  };
  for (const key of policy.servers.keys())
    if (isUnknown(key)) note(policy.serverLines?.get(key), '"servers" has', key);
  for (const { rule, server, line } of policy.suppress)
    if (server !== undefined && isUnknown(server)) note(line, `the suppression of ${rule} names`, server);
  return notes;
}

/** The known key that differs in the fewest characters, when those are at most a third or two; in case, none. */
function nearest(key: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = key.length < 4 ? 2 : Math.max(2, Math.floor(key.length / 3)) + 1;
  for (const one of known) {
    const edits = distance(key.toLowerCase().slice(0, 100), one.toLowerCase().slice(0, 100));
    if (edits < least) [best, least] = [one, edits];
  }
  return best;
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
