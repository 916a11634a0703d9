import type { Operator } from '../../proxy/operator.ts';
import { AgentGateError } from '../../util/errors.ts';
import { visibleLine } from '../../util/hidden.ts';
import { own } from '../../util/json.ts';
import { keptState, restoreFiles } from '../checkpoints/restore.ts';
import { keepFiles } from '../checkpoints/take.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { readLedgerEntries } from '../ledger/read.ts';
import type { GateOptions } from './options.ts';

/**
 * Puts back what the checkpoint of a tier 1 call kept. What is overwritten by that is kept as well, so that a rollback
 * can be rolled back.
 */
export async function rollback(
  operator: Operator,
  id: string,
  options: GateOptions,
  out: (text: string) => void,
): Promise<number> {
  const { ledger } = operator.workspace.policy.gate;
  const entry = findCheckpoint(readLedgerEntries(ledger), id);
  const state = keptState(entry.payload);
  if (options.dryRun === true) {
    for (const line of await restoreFiles(state, ledger, true)) out(visibleLine(`would have ${line}`));
    return 0;
  }
  // Nothing may be changed that is not checked first.
  await restoreFiles(state, ledger, true);
  const tops = state.files.map(({ path }) => path);
  const roots = tops.filter((path) => !tops.some((other) => path.startsWith(`${other}/`)));
  const kept = await keepFiles(roots, state.root, ledger);
  const undo = `${entry.proposal_id}_undo_${operator.store.ledger.size}`;
  await operator.store.ledger.append({
    type: 'checkpoint',
    proposal_id: undo,
    server: entry.server,
    actor: `operator:${operator.name}`,
    payload: { ...kept, rollback_of: entry.proposal_id ?? '' },
  });
  const lines = await restoreFiles(state, ledger, false);
  for (const line of lines) out(visibleLine(line));
  out(
    lines.length === 0
      ? 'Everything is as it was kept.'
      : `Rolled back; "gate rollback ${undo}" takes that back.`,
  );
  await operator.witness.remember();
  return 0;
}

function findCheckpoint(entries: readonly LedgerEntry[], id: string): LedgerEntry {
  const found = entries.filter(
    ({ type, proposal_id, payload }) =>
      type === 'checkpoint' &&
      own(payload, 'kind') !== 'recovery' &&
      proposal_id !== null &&
      proposal_id === id,
  );
  const by =
    found[0] ??
    entries.find((e) => e.type === 'checkpoint' && id.length >= 12 && e.proposal_id?.startsWith(id));
  if (by === undefined)
    throw new AgentGateError(
      'E_CHECKPOINT_UNKNOWN',
      `The ledger has no checkpoint ${JSON.stringify(id.slice(0, 80))}.`,
    );
  return by;
}
