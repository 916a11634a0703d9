import type { JsonObject } from '../util/json.ts';

/** The proxy's own tools: reading only. */
export const OWN_TOOLS: readonly JsonObject[] = [
  {
    name: 'agentgate_status',
    description:
      'Says what AgentGate lets through to this server, what it refuses and why, and which calls wait for a human.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'agentgate_result',
    description:
      'Says what became of a call that was held for a human (status "pending_approval"): waiting, approved, executed with its result, failed, rejected, expired.',
    inputSchema: {
      type: 'object',
      properties: { proposal_id: { type: 'string', description: 'From the receipt: prop_…' } },
      required: ['proposal_id'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
];

/** Names of this prefix are AgentGate's alone: a server's tool of such a name is never listed or called. */
export const OWN_PREFIX = 'agentgate_';

/** Tools of the operator, here and in the product's predecessors. They do not exist on the agent's side. */
const OPERATOR_TOOLS = new Set([
  'agentgate_list',
  'agentgate_show',
  'agentgate_approve',
  'agentgate_reject',
  'agentgate_execute',
  'agentgate_watch',
  'agentgate_ledger_verify',
  'list_pending_proposals',
  'approve_proposal',
  'reject_proposal',
  'execute_approved_proposal',
  'execute_proposal',
]);

/** True for a name that is the operator's. */
export function isOperatorTool(name: string): boolean {
  return OPERATOR_TOOLS.has(name) || OPERATOR_TOOLS.has(`agentgate_${name}`);
}
