import type { Operator } from '../../proxy/operator.ts';
import { AgentGateError } from '../../util/errors.ts';
import { visibleLine } from '../../util/hidden.ts';
import { own } from '../../util/json.ts';
import { isInside, keptState } from '../checkpoints/kept-state.ts';
import { planRestore, type RestoreStep, restore } from '../checkpoints/restore.ts';
import { keepFiles } from '../checkpoints/take.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { readLedgerEntries } from '../ledger/read.ts';
import type { GateOptions } from './options.ts';

/**
 * Puts back what a tier 1 call changed, from its checkpoint. What is overwritten by that is kept as well, so that a rollback
 * can be rolled back. With `all`, everything that was kept, whoever changed it.
 */
export async function rollback(
  operator: Operator,
  id: string,
  options: GateOptions,
  out: (text: string) => void,
): Promise<number> {
  const { ledger } = operator.workspace.policy.gate;
  const entries = readLedgerEntries(ledger);
  const entry = findCheckpoint(entries, id);
  const changed = options.all === true ? 'all' : changedBy(entries, entry);
  const plan = await planRestore(keptState(entry.payload), ledger, changed);
  const touched = plan.steps.flatMap((step) => (step.action === 'leave' ? [] : [pathOf(step)]));
  const say = (before: string): void => {
    for (const step of plan.steps) out(visibleLine(lineOf(step, before)));
  };
  if (options.dryRun === true) {
    say('would have ');
    return 0;
  }
  if (touched.length === 0) {
    say('');
    out('Nothing was put back: all that this call changed is as it was.');
    return 0;
  }
  const tops = touched.filter((path) => !touched.some((other) => path.startsWith(`${other}/`)));
  const kept = await keepFiles(tops, plan.root, ledger);
  const undo = `${entry.proposal_id}_undo_${operator.store.ledger.size}`;
  await operator.store.ledger.append({
    type: 'checkpoint',
    proposal_id: undo,
    server: entry.server,
    actor: `operator:${operator.name}`,
    payload: { ...kept, rollback_of: entry.proposal_id ?? '' },
  });
  await restore(plan);
  say('');
  out(`Rolled back; "agentgate gate rollback ${undo}" takes that back.`);
  // It needs no key: who runs it need not be the one whose folder that is.
  await operator.witness.remember().catch(ignoreForbidden);
  return 0;
}

function ignoreForbidden(error: unknown): void {
  if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

function pathOf(step: RestoreStep): string {
  return step.action === 'put back' ? step.file.path : step.path;
}

function lineOf(step: RestoreStep, before: string): string {
  if (step.action === 'leave') return `left ${step.path}: ${step.why}`;
  return `${before}${step.action === 'remove' ? 'removed' : step.action} ${pathOf(step)}`;
}

/** What the ledger says that the call changed; undefined when it does not know, as after a crash. */
function changedBy(
  entries: readonly LedgerEntry[],
  { proposal_id, seq }: LedgerEntry,
): Set<string> | undefined {
  const end = entries.find(
    (entry) =>
      entry.seq > seq &&
      entry.proposal_id === proposal_id &&
      (entry.type === 'mutation_executed' || entry.type === 'execution_failed'),
  );
  const changed = end === undefined ? undefined : own(end.payload, 'changed');
  // A call whose end is not known may have gone on after it was looked.
  if (!Array.isArray(changed) || own(end?.payload ?? {}, 'code') === 'E_OUTCOME_UNKNOWN') return undefined;
  return new Set(changed.filter(isInside));
}

function findCheckpoint(entries: readonly LedgerEntry[], id: string): LedgerEntry {
  // One that records a recovery has no id.
  const checkpoints = entries.filter(({ type }) => type === 'checkpoint');
  const found =
    checkpoints.find(({ proposal_id }) => proposal_id === id) ??
    checkpoints.find(({ proposal_id }) => id.length >= 12 && proposal_id?.startsWith(id));
  if (found === undefined)
    throw new AgentGateError(
      'E_CHECKPOINT_UNKNOWN',
      `The ledger has no checkpoint ${JSON.stringify(id.slice(0, 80))}; "agentgate gate rollback" without an id lists them.`,
    );
  return found;
}
