import { userInfo } from 'node:os';
import { stopSignal } from '../capture/running.ts';
import type { Isolation } from '../capture/types.ts';
import { bindState } from '../gate/bind.ts';
import { declaredPlaces } from '../gate/checkpoints/declared-places.ts';
import { payloadSha256 } from '../gate/fingerprint.ts';
import { loadSigner, loadVerifier, type Signer } from '../gate/keys.ts';
import { toolRule } from '../gate/policy.ts';
import { isRunning, type Proposal } from '../gate/proposals.ts';
import { showProposal } from '../gate/show.ts';
import { GateStore, type Outcome } from '../gate/store.ts';
import { type Claims, readToken } from '../gate/token.ts';
import { Witness } from '../gate/witness.ts';
import { openWorkspace, ownFiles, type Workspace } from '../gate/workspace.ts';
import { AgentGateError } from '../util/errors.ts';
import type { JsonObject } from '../util/json.ts';
import { createRedactor } from '../util/redact.ts';
import { carryOut, rawToolName } from './carry-out.ts';
import { loadTarget, type UpstreamOptions } from './target.ts';
import { Upstream } from './upstream.ts';

export interface OperatorOptions {
  cwd: string;
  lockfile?: string;
  config?: string[];
  allClients: boolean;
  isolation: Isolation;
  env: NodeJS.ProcessEnv;
  notice: (text: string) => void;
}

/** What an operator may do; the agent's side has none of it. */
export class Operator {
  readonly workspace: Workspace;
  readonly store: GateStore;
  readonly witness: Witness;
  readonly name: string;
  private readonly options: OperatorOptions;

  private constructor(workspace: Workspace, store: GateStore, options: OperatorOptions) {
    this.workspace = workspace;
    this.store = store;
    this.options = options;
    this.witness = new Witness(this.gate.approvals.keyFile, this.gate.ledger);
    this.name = operatorName();
  }

  /** Reads policy, lock and ledger, and checks the ledger against what the operator remembers. */
  static async open(options: OperatorOptions): Promise<Operator> {
    const workspace = await openWorkspace(options);
    const operator = new Operator(
      workspace,
      await GateStore.open(workspace.policy.gate.ledger, {
        redact: createRedactor([]),
        notice: options.notice,
      }),
      options,
    );
    await operator.witness.check();
    return operator;
  }

  private get gate() {
    return this.workspace.policy.gate;
  }

  list(all: boolean): Proposal[] {
    this.store.ledger.refresh();
    return this.store.proposals
      .all()
      .filter(
        (proposal) =>
          all || ['PENDING_APPROVAL', 'APPROVED', 'OUTCOME_UNKNOWN'].includes(this.store.state(proposal)),
      );
  }

  async show(id: string): Promise<{ proposal: Proposal; text: string }> {
    const proposal = this.store.find(id);
    const { policy } = this.workspace.policy;
    const text = showProposal(proposal, this.store.state(proposal), {
      running: isRunning(proposal),
      places: await declaredPlaces(proposal.server, { ...this.options, policy }),
    });
    return { proposal, text };
  }

  async approve(id: string): Promise<{ token: string; claims: Claims; proposal: Proposal }> {
    const proposal = this.store.find(id);
    const approved = await this.store.approve(proposal.id, this.signer(), {
      operator: this.name,
      ttlMs: this.gate.approvals.ttlMs,
      policySha256: this.workspace.policy.sha256,
    });
    await this.witness.remember();
    return { ...approved, proposal };
  }

  async reject(id: string, reason: string): Promise<Proposal> {
    if (reason.trim() === '') throw new AgentGateError('E_USAGE', 'A rejection needs a reason in words.');
    const proposal = this.store.find(id);
    await this.store.reject(proposal.id, reason, this.name);
    await this.witness.remember();
    return proposal;
  }

  /**
   * Carries out an approved proposal with its token, once, by a server of its own. With `dryRun` everything is checked
   * and nothing is sent or consumed. Throws the codes of the table.
   */
  async execute(
    id: string,
    token: string,
    dryRun: boolean,
  ): Promise<{ proposal: Proposal; outcome?: Outcome }> {
    const proposal = this.store.find(id);
    const actor = `operator:${this.name}`;
    try {
      return { proposal, ...(await this.carryOut(proposal, token, dryRun, actor)) };
    } catch (error) {
      if (error instanceof AgentGateError && !dryRun)
        await this.store.refused(error, actor, { proposal }).catch(() => {});
      throw error;
    } finally {
      await this.witness.remember().catch(() => {});
    }
  }

  signer(): Signer {
    const { keyFile, algorithm } = this.gate.approvals;
    return loadSigner(keyFile, algorithm, this.workspace.cwd);
  }

  private async carryOut(
    proposal: Proposal,
    token: string,
    dryRun: boolean,
    actor: string,
  ): Promise<{ outcome?: Outcome }> {
    const { keyFile, algorithm } = this.gate.approvals;
    const claims = readToken(token, loadVerifier(keyFile, algorithm, this.workspace.cwd));
    // Before a server is started for nothing.
    this.precheck(proposal, claims);
    if (proposal.redacted)
      throw new AgentGateError(
        'E_ARGS_REDACTED',
        `The arguments of ${proposal.id} held a secret, which the ledger does not keep: the agent has to repeat the identical call.`,
      );
    const options: UpstreamOptions = { ...this.options, cwd: this.workspace.cwd, server: proposal.server };
    const target = await loadTarget(
      options,
      this.workspace.policy.policy,
      this.workspace.lock,
      ownFiles(this.workspace),
    );
    const upstream = new Upstream(target, options);
    const { rule } = toolRule(this.gate, proposal.server, proposal.tool);
    const extra = () => bindState(rule, target.declared.root, proposal.arguments);
    try {
      if (dryRun) {
        const surface = await upstream.surface(true);
        const current = {
          live: surface.live,
          policySha256: this.workspace.policy.sha256,
          extra: await extra(),
        };
        this.store.check(proposal, { kind: 'token', claims }, current, digestOf(proposal));
        if (rawToolName(surface, proposal.tool) === undefined)
          throw new AgentGateError(
            'E_TOOL_NOT_PINNED',
            `${JSON.stringify(proposal.tool)} does not match the lock`,
          );
        return {};
      }
      const outcome = await carryOut({
        store: this.store,
        upstream,
        proposal,
        authority: { kind: 'token', claims },
        args: proposal.arguments,
        policySha256: this.workspace.policy.sha256,
        extra,
        actor,
        link: { signal: stopSignal() },
      });
      return { outcome };
    } finally {
      await upstream.end();
    }
  }

  /** What can be said without the server: nothing but the state is missing. */
  private precheck(proposal: Proposal, claims: Claims): void {
    try {
      this.store.check(
        proposal,
        { kind: 'token', claims },
        { live: { extra: {} }, policySha256: this.workspace.policy.sha256 },
        digestOf(proposal),
      );
    } catch (error) {
      if (error instanceof AgentGateError && error.code === 'E_STATE_DRIFT') return;
      throw error;
    }
  }
}

/** Of the arguments as the ledger has them; of a redacted call, the digest that it was staged with. */
function digestOf(proposal: Proposal): string {
  return proposal.redacted
    ? proposal.payload_sha256
    : payloadSha256(proposal.server, proposal.tool, proposal.arguments);
}

function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** One line of a list, for a machine. */
export function summaryOf(store: GateStore, proposal: Proposal): JsonObject {
  return {
    proposal_id: proposal.id,
    state: store.state(proposal),
    server: proposal.server,
    tool: proposal.tool,
    tier: proposal.tier,
    codes: proposal.codes,
    reason: proposal.reason,
    created: proposal.created,
  };
}
