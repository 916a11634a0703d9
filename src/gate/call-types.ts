import type { LockedServer } from '../lock/types.ts';
import type { Json, JsonObject } from '../util/json.ts';
import type { Verifier } from './keys.ts';
import type { Tier } from './policy.ts';
import type { Claims } from './token.ts';

/** What a call is about to meet: the live server, and the policy that is in force. */
export interface CurrentState {
  live: LockedServer;
  policySha256: string;
  /** What an adapter binds beside (git). */
  extra?: JsonObject;
}

/** A call, and why it may not simply be forwarded. */
export interface StagedCall {
  server: string;
  tool: string;
  arguments: JsonObject;
  tier: Tier;
  reason: string;
  codes: string[];
}

/** How a call that was carried out has ended. */
export type Outcome =
  | { kind: 'done'; result: Json }
  | { kind: 'failed'; code: string; message: string; result?: Json; rpcCode?: number | undefined }
  /** It was sent, and what became of it is not known. */
  | { kind: 'unknown'; message: string };

/** By what right a proposal is carried out. */
export type Authority =
  /** A token whose form and signature are right. */
  | { kind: 'token'; claims: Claims }
  /** The approval in the ledger, for the agent that repeats the identical call. */
  | { kind: 'record'; verifier: Verifier };
