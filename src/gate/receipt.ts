import type { Json, JsonObject } from '../util/json.ts';
import type { Proposal, ProposalState } from './proposals.ts';

/** What a held call answers at once, `GATE.md` §2. */
export interface Receipt {
  status: 'pending_approval';
  proposal_id: string;
  staged_receipt_id: string;
  state_fingerprint: string;
  message: string;
}

export function receiptOf(proposal: Proposal): Receipt {
  return {
    status: 'pending_approval',
    proposal_id: proposal.id,
    staged_receipt_id: `rcpt_${proposal.id}`,
    state_fingerprint: proposal.state_fingerprint,
    message:
      `PENDING_APPROVAL: nothing was carried out. ${proposal.reason} A human decides with "agentgate gate approve ` +
      `${proposal.id}". Do not retry now; call agentgate_result with this proposal_id to learn the outcome, or repeat ` +
      'the identical call once it is approved.',
  };
}

/** A tool's answer that carries one JSON object. */
export function jsonContent(value: JsonObject, isError = false): JsonObject {
  const result: JsonObject = { content: [{ type: 'text', text: JSON.stringify(value) }] };
  if (isError) result.isError = true;
  return result;
}

/** What `agentgate_result` tells of a proposal. */
export function reportOf(proposal: Proposal, state: ProposalState, running: boolean): JsonObject {
  const report: JsonObject = {
    proposal_id: proposal.id,
    state: state as Json,
    server: proposal.server,
    tool: proposal.tool,
    message: words(proposal, state, running),
  };
  if (proposal.end?.code !== undefined) report.code = proposal.end.code;
  else if (state === 'OUTCOME_UNKNOWN') report.code = 'E_OUTCOME_UNKNOWN';
  if (proposal.end?.result !== undefined) report.result = proposal.end.result;
  return report;
}

function words(proposal: Proposal, state: ProposalState, running: boolean): string {
  if (running) return 'It is being carried out.';
  switch (state) {
    case 'PENDING_APPROVAL':
      return 'It waits for a human. Do not repeat the call; ask again later.';
    case 'APPROVED':
      return 'It is approved. Repeat the identical call to carry it out, once.';
    case 'EXECUTED':
      return 'It was carried out, once.';
    case 'FAILED':
      return proposal.end?.message ?? 'It was tried, and the server answered with an error.';
    case 'OUTCOME_UNKNOWN':
      return 'It was begun and its end is not known. It is not tried again; a human has to look.';
    case 'REJECTED':
      return `A human rejected it: ${proposal.rejection?.reason ?? ''}`;
    case 'EXPIRED':
      return 'It has expired. The call has to be made again, and approved again.';
  }
}
