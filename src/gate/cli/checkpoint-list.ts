import { visibleLine } from '../../util/hidden.ts';
import { isObject, own } from '../../util/json.ts';
import type { LedgerEntry } from '../ledger/entry.ts';

/** How many paths of one checkpoint are named. */
const NAMED = 3;

/** One line for each checkpoint that kept files, oldest first: its id, when, for what call, and what it kept. */
export function checkpointLines(entries: readonly LedgerEntry[]): string[] {
  return entries.flatMap(({ type, proposal_id, ts, server, payload }) => {
    const files = own(payload, 'files');
    if (type !== 'checkpoint' || proposal_id === null || !Array.isArray(files)) return [];
    const undone = own(payload, 'rollback_of');
    const what = typeof undone === 'string' ? `rollback of ${undone}` : `${server} ${own(payload, 'tool')}`;
    const paths = files.flatMap((file) => {
      const path = isObject(file) ? own(file, 'path') : undefined;
      return typeof path === 'string' ? [path] : [];
    });
    const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
    return [`${proposal_id}  ${ts}  ${visibleLine(`${what}  ${paths.slice(0, NAMED).join(', ')}${more}`)}`];
  });
}
