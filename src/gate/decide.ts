import { hashOf } from '../lock/hash.ts';
import { ArgumentsChecker } from '../proxy/args-client.ts';
import { isOperatorTool } from '../proxy/own-tools.ts';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { type JsonObject, own } from '../util/json.ts';
import { createRedactor } from '../util/redact.ts';
import { canonicalArguments } from './arguments.ts';
import { bindState } from './bind.ts';
import { declaredPlaces } from './checkpoints/declared-places.ts';
import { NoCheckpoint } from './checkpoints/no-checkpoint.ts';
import { ReversibleCall } from './checkpoints/reversible.ts';
import type { ServerPlaces } from './checkpoints/server-places.ts';
import { payloadSha256 } from './fingerprint.ts';
import type { Gate, GateCall, GateDecision, GateOptions } from './gate-types.ts';
import { loadVerifier } from './keys.ts';
import { refuseOperatorFiles } from './operator-files.ts';
import { receiptOf } from './receipt.ts';
import { assessCall, type Risk } from './risk.ts';
import { type CurrentState, GateStore } from './store.ts';
import { Witness } from './witness.ts';
import { openWorkspace, ownFiles, type Workspace } from './workspace.ts';

export type { Gate, GateCall, GateDecision, GateOptions } from './gate-types.ts';

/**
 * Opens the gate of a project for calls that a framework makes itself. The lock's own entry is taken for what the server
 * shows: whether it still shows that is for the proxy to check. Throws as `openWorkspace` and `GateStore.open` do.
 */
export async function createGate(options: GateOptions = {}): Promise<Gate> {
  const env = options.env ?? process.env;
  const cwd = options.cwd ?? process.cwd();
  const workspace = await openWorkspace({
    cwd,
    env,
    ...(options.lockfile === undefined ? {} : { lockfile: options.lockfile }),
  });
  const store = await GateStore.open(workspace.policy.gate.ledger, {
    redact: createRedactor([]),
    notice: options.notice ?? (() => {}),
  });
  return new InProcessGate(workspace, store, env);
}

const ACTOR = 'agent';

class InProcessGate implements Gate {
  private readonly workspace: Workspace;
  private readonly store: GateStore;
  private readonly env: NodeJS.ProcessEnv;
  private readonly checker = new ArgumentsChecker();

  constructor(workspace: Workspace, store: GateStore, env: NodeJS.ProcessEnv) {
    this.workspace = workspace;
    this.store = store;
    this.env = env;
  }

  async decide(call: GateCall, options: { ends?: boolean } = {}): Promise<GateDecision> {
    try {
      return await this.decided(call, options.ends === true);
    } catch (error) {
      if (!(error instanceof AgentGateError))
        return { action: 'deny', code: 'E_INTERNAL', message: messageOf(error) };
      try {
        await this.store.refused(error, ACTOR, { server: call.server, tool: call.tool });
      } catch (failed) {
        if (failed instanceof AgentGateError)
          return { action: 'deny', code: failed.code, message: failed.message };
      }
      return { action: 'deny', code: error.code, message: error.message };
    }
  }

  async end(): Promise<void> {
    await this.checker.end();
  }

  private async decided(call: GateCall, ends: boolean): Promise<GateDecision> {
    const { server, tool } = call;
    const { gate, sha256: policySha256 } = this.workspace.policy;
    if (isOperatorTool(tool)) throw new AgentGateError('E_PERM', `${JSON.stringify(tool)} is for operators.`);
    this.store.ledger.checkWritable();
    const changed = await this.workspace.files.changed();
    if (changed !== undefined)
      throw new AgentGateError(
        changed === this.workspace.lockfile ? 'E_LOCK_CHANGED' : 'E_POLICY_CHANGED',
        `${changed} is no longer what this gate was started with; have the change reviewed, then start again.`,
      );
    const live = this.workspace.lock.servers.get(server);
    const record = live?.tools?.get(tool);
    if (live === undefined || record === undefined)
      throw new AgentGateError(
        'E_TOOL_NOT_PINNED',
        `Unknown tool ${JSON.stringify(tool.slice(0, 200))} of server ${JSON.stringify(server)}: it is not in the lock.`,
      );
    const args = canonicalArguments(call.arguments);
    if (record.definition === undefined)
      throw new AgentGateError(
        'E_ARGS_INVALID',
        'The lock holds only hashes of this tool, so that arguments cannot be checked.',
      );
    const schema = own(record.definition, 'inputSchema') ?? {};
    await this.checker.check(`${hashOf(schema)} ${gate.closed}`, schema, args, gate.closed);
    refuseOperatorFiles(args, gate.approvals.keyFile);
    const risk = await assessCall(gate, server, tool, args);
    if (risk.tier === 0) return { action: 'allow', arguments: args };
    const { cwd, policy } = this.workspace;
    const places = await declaredPlaces(server, {
      cwd,
      allClients: false,
      env: this.env,
      policy: policy.policy,
    });
    if (risk.tier === 1) {
      try {
        return await this.reversible(call, args, risk, places);
      } catch (error) {
        if (!(error instanceof NoCheckpoint)) throw error;
        risk.reason = `It could not be undone: ${error.message}.`;
        risk.tier = 2;
      }
    }
    const extra = await bindState(risk.rule, places.root, args);
    const current: CurrentState = { live, policySha256, extra };
    return await this.hold(call, args, risk, current, ends);
  }

  private async hold(
    { server, tool }: GateCall,
    args: JsonObject,
    risk: Risk,
    current: CurrentState,
    ends: boolean,
  ): Promise<GateDecision> {
    const { approvals, ledger } = this.workspace.policy.gate;
    this.store.ledger.refresh();
    const digest = payloadSha256(server, tool, args);
    const twin = this.store.proposals.latestFor(digest);
    const state = twin === undefined ? undefined : this.store.state(twin);
    if (
      twin !== undefined &&
      state === 'REJECTED' &&
      Date.now() - Date.parse(twin.rejection?.at ?? '') < approvals.ttlMs
    )
      throw new AgentGateError(
        'E_REJECTED',
        `A human rejected this call: ${twin.rejection?.reason ?? ''} (${twin.id})`,
      );
    if (twin !== undefined && state === 'APPROVED' && !ends)
      return {
        action: 'hold',
        receipt: {
          ...receiptOf(twin),
          message: `APPROVED: ${twin.id} is approved and is carried out by "agentgate gate execute". Do not repeat the call.`,
        },
      };
    if (twin !== undefined && (state === 'APPROVED' || state === 'OUTCOME_UNKNOWN')) {
      const verifier = loadVerifier(approvals.keyFile, approvals.algorithm, this.workspace.cwd);
      await new Witness(approvals.keyFile, ledger).check();
      const begun = await this.store.begin(twin.id, { kind: 'record', verifier }, current, digest, ACTOR);
      return {
        action: 'allow',
        arguments: args,
        finish: (ended, message = '') =>
          this.store.finish(
            begun,
            ended === 'done'
              ? { kind: 'done', result: null }
              : { kind: 'failed', code: 'E_TOOL_ERROR', message },
            ACTOR,
          ),
      };
    }
    const proposal = await this.store.stage({ server, tool, arguments: args, ...risk }, current, ACTOR);
    return { action: 'hold', receipt: receiptOf(proposal) };
  }

  private async reversible(
    { server, tool }: GateCall,
    args: JsonObject,
    risk: Risk,
    places: ServerPlaces,
  ): Promise<GateDecision> {
    const reversible = await ReversibleCall.begin({
      ledger: this.store.ledger,
      gate: this.workspace.policy.gate,
      own: ownFiles(this.workspace),
      server,
      tool,
      arguments: args,
      rule: risk.rule,
      places,
      actor: ACTOR,
    });
    return {
      action: 'allow',
      arguments: args,
      finish: (ended) => reversible.end(ended === 'done' ? undefined : 'E_TOOL_ERROR'),
    };
  }
}
