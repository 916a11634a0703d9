import { readLedgerFile } from '../gate/ledger/read.ts';
import { verifyLedger } from '../gate/ledger/verify.ts';
import { isRunning } from '../gate/proposals.ts';
import { jsonContent, reportOf } from '../gate/receipt.ts';
import { AgentGateError } from '../util/errors.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { scanJson } from '../util/strict-json.ts';
import { VERSION } from '../version.ts';
import { type Operator, summaryOf } from './operator.ts';
import { legacyVersion } from './revision.ts';
import { errorMessage, RPC, RpcError, resultMessage } from './rpc.ts';

const ID = { type: 'string', description: 'prop_…' };

function tool(
  name: string,
  description: string,
  properties: JsonObject,
  required: string[],
  readOnly: boolean,
): JsonObject {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    annotations: { readOnlyHint: readOnly },
  };
}

const TOOLS: readonly JsonObject[] = [
  tool('agentgate_list', 'Lists the calls that wait for a human.', { all: { type: 'boolean' } }, [], true),
  tool('agentgate_show', 'Shows one call as it would be sent.', { proposal_id: ID }, ['proposal_id'], true),
  tool(
    'agentgate_approve',
    'Approves one call and gives its one-time token.',
    { proposal_id: ID },
    ['proposal_id'],
    false,
  ),
  tool(
    'agentgate_reject',
    'Rejects one call, with a reason.',
    { proposal_id: ID, reason: { type: 'string' } },
    ['proposal_id', 'reason'],
    false,
  ),
  tool(
    'agentgate_execute',
    'Carries out one approved call, once.',
    { proposal_id: ID, token: { type: 'string' }, dry_run: { type: 'boolean' } },
    ['proposal_id', 'token'],
    false,
  ),
  tool('agentgate_ledger_verify', 'Checks the ledger.', {}, [], true),
];

/** The operator's side by MCP. Every call reads policy, lock and ledger anew, as the commands do. */
export class OperatorRouter {
  private readonly open: () => Promise<Operator>;

  constructor(open: () => Promise<Operator>) {
    this.open = open;
  }

  async receive(text: string): Promise<JsonObject | undefined> {
    const { value, problems } = scanJson(text);
    if (!isObject(value) || problems.length > 0)
      return errorMessage(
        null,
        new RpcError(RPC.request, 'one unambiguous JSON-RPC 2.0 request is expected'),
      );
    const id = own(value, 'id');
    const method = own(value, 'method');
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    const params = own(value, 'params');
    try {
      return resultMessage(id, await this.answer(String(method), isObject(params) ? params : {}));
    } catch (error) {
      return errorMessage(id, error);
    }
  }

  private async answer(method: string, params: JsonObject): Promise<Json> {
    if (method === 'ping') return {};
    if (method === 'tools/list') return { tools: [...TOOLS] };
    if (method === 'tools/call') {
      const args = own(params, 'arguments');
      return await this.call(String(own(params, 'name')), isObject(args) ? args : {});
    }
    if (method !== 'initialize') throw new RpcError(RPC.method, `Method not found: ${method.slice(0, 100)}`);
    return {
      protocolVersion: legacyVersion(params),
      capabilities: { tools: {} },
      serverInfo: { name: 'agentgate-operator', version: VERSION },
    };
  }

  private async call(name: string, args: JsonObject): Promise<Json> {
    const definition = TOOLS.find((each) => each.name === name);
    if (definition === undefined) throw new RpcError(RPC.params, `Unknown tool: ${name.slice(0, 100)}`);
    checkArguments(definition, args);
    const text = (key: string): string => String(own(args, key) ?? '');
    const operator = await this.open();
    const { store } = operator;
    switch (name) {
      case 'agentgate_list':
        return jsonContent({
          proposals: operator.list(own(args, 'all') === true).map((proposal) => summaryOf(store, proposal)),
        });
      case 'agentgate_show':
        return { content: [{ type: 'text', text: (await operator.show(text('proposal_id'))).text }] };
      case 'agentgate_approve': {
        const { token, claims } = await operator.approve(text('proposal_id'));
        return jsonContent({
          proposal_id: claims.pid,
          token,
          expires: new Date(claims.exp * 1000).toISOString(),
        });
      }
      case 'agentgate_reject':
        return jsonContent({
          proposal_id: (await operator.reject(text('proposal_id'), text('reason'))).id,
          state: 'REJECTED',
        });
      case 'agentgate_execute': {
        const { proposal, outcome } = await operator.execute(
          text('proposal_id'),
          text('token'),
          own(args, 'dry_run') === true,
        );
        if (outcome === undefined) return jsonContent({ proposal_id: proposal.id, dry_run: true });
        const now = store.find(proposal.id);
        return jsonContent(reportOf(now, store.state(now), isRunning(now)), outcome.kind !== 'done');
      }
      default: {
        const report = verifyLedger(readLedgerFile(operator.workspace.policy.gate.ledger));
        return jsonContent({
          ok: report.ok,
          entries: report.entries,
          problems: report.problems.map(({ code, line, text: words }) => ({ code, line, text: words })),
        });
      }
    }
  }
}

function checkArguments(definition: JsonObject, args: JsonObject): void {
  const schema = own(definition, 'inputSchema');
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  const required = isObject(schema) ? own(schema, 'required') : undefined;
  for (const [key, value] of Object.entries(args)) {
    const property = isObject(properties) ? own(properties, key) : undefined;
    if (!isObject(property) || typeof value !== own(property, 'type'))
      throw new AgentGateError('E_ARGS_INVALID', `The arguments do not fit: ${JSON.stringify(`/${key}`)}`);
  }
  for (const key of Array.isArray(required) ? required : [])
    if (!Object.hasOwn(args, String(key)))
      throw new AgentGateError(
        'E_ARGS_INVALID',
        `The arguments do not fit: ${JSON.stringify(`/${key}`)} is missing`,
      );
}
