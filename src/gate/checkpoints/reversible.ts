import type { JsonObject } from '../../util/json.ts';
import { payloadSha256 } from '../fingerprint.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { GatePolicy, ToolRule } from '../policy.ts';
import { changedSince, keptState } from './kept-state.ts';
import type { ServerPlaces } from './server-places.ts';
import { type Checkpoint, checkpointFor } from './take.ts';

/** Paths that the ledger names of one call. */
const MAX_NAMED = 5_000;

/** A tier 1 call: what would undo it is kept and recorded before it is sent, what it changed after. */
export class ReversibleCall {
  private readonly ledger: Ledger;
  private readonly checkpoint: Checkpoint;
  private readonly about: { server: string; actor: string; tool: string };

  private constructor(
    ledger: Ledger,
    checkpoint: Checkpoint,
    about: { server: string; actor: string; tool: string },
  ) {
    this.ledger = ledger;
    this.checkpoint = checkpoint;
    this.about = about;
  }

  get id(): string {
    return this.checkpoint.id;
  }

  /** Keeps and records. The call may be sent when this resolves. Throws `NoCheckpoint`, and as `Ledger.append` does. */
  static async begin(options: {
    ledger: Ledger;
    gate: GatePolicy;
    /** What belongs to the gate: a call that names it is held. */
    own: readonly string[];
    server: string;
    tool: string;
    arguments: JsonObject;
    rule: ToolRule;
    places: ServerPlaces;
    actor: string;
  }): Promise<ReversibleCall> {
    const { ledger, server, tool, actor } = options;
    // Where the client may be asked for its folders, a relative path means what it answered.
    const asksClient = options.gate.inputRequests.get(server)?.has('roots') === true;
    const places = asksClient ? { ...options.places, bases: [] } : options.places;
    const checkpoint = await checkpointFor({ ...options, places, ledger: options.gate.ledger });
    const call = new ReversibleCall(ledger, checkpoint, { server, tool, actor });
    const call_sha256 = payloadSha256(server, tool, options.arguments);
    await ledger.append(
      call.draft('checkpoint', { ...checkpoint.record, tool, call_sha256 }),
      call.draft('execution_started', { tool, tier: 1, call_sha256 }),
    );
    return call;
  }

  /** Records the end: `code` is absent when the server carried the call out. */
  async end(code?: string): Promise<void> {
    const payload: JsonObject = { tool: this.about.tool, tier: 1 };
    if (code !== undefined) payload.code = code;
    const changed = await this.changed();
    if (changed !== undefined) {
      payload.changed = changed;
      if (changed.length === 0 && code === undefined)
        payload.note =
          'nothing that was kept has changed: if this call changed a file, it cannot be put back';
    }
    await this.ledger.append(
      this.draft(code === undefined ? 'mutation_executed' : 'execution_failed', payload),
    );
  }

  /** Undefined when it cannot be told: all of it may have changed. */
  private async changed(): Promise<string[] | undefined> {
    const { record } = this.checkpoint;
    if (record.kind !== 'files') return undefined;
    try {
      const paths = await changedSince(keptState(record));
      return paths.length > MAX_NAMED ? undefined : paths;
    } catch {
      return undefined;
    }
  }

  private draft(
    type: 'checkpoint' | 'execution_started' | 'mutation_executed' | 'execution_failed',
    payload: JsonObject,
  ) {
    const { server, actor } = this.about;
    return { type, proposal_id: this.id, server, actor, payload };
  }
}
