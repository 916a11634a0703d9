import type { JsonObject } from '../util/json.ts';
import type { Outcome } from './call-types.ts';
import { keptResult } from './kept-result.ts';
import type { EntryDraft } from './ledger/entry.ts';
import { draftFor, type Proposal } from './proposals.ts';
import { unknownDraft } from './refusals.ts';

/**
 * The entry of how a call has ended, and one without the server's words, for when those have no form that a ledger can keep:
 * that a call has ended is not for its server to keep out.
 */
export function endDrafts(
  proposal: Proposal,
  outcome: Outcome,
  actor: string,
  redact: (text: string) => string,
): { whole: EntryDraft; bare: EntryDraft } {
  const note = 'the server’s answer has no form that the ledger can keep';
  if (outcome.kind === 'unknown')
    return {
      whole: unknownDraft(proposal, words(outcome.message, redact)),
      bare: unknownDraft(proposal, note),
    };
  const type = outcome.kind === 'done' ? 'mutation_executed' : 'execution_failed';
  const known: JsonObject = outcome.kind === 'failed' ? { code: outcome.code } : {};
  const told: JsonObject = { ...known };
  if (outcome.kind === 'failed') told.message = words(outcome.message, redact);
  if (outcome.result !== undefined) told.result = keptResult(outcome.result, redact);
  return {
    whole: draftFor(proposal, type, actor, told),
    bare: draftFor(proposal, type, actor, { ...known, note }),
  };
}

function words(message: string, redact: (text: string) => string): string {
  return redact(message).slice(0, 2_000).toWellFormed();
}
