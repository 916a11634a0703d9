import type { JsonObject } from '../util/json.ts';
import type { Receipt } from './receipt.ts';

/** One call, as a framework is about to make it. */
export interface GateCall {
  /** Key of the server in the lock. */
  server: string;
  tool: string;
  arguments: unknown;
}

/** What the gate says of a call (`GATE.md` §7). */
export type GateDecision =
  | {
      action: 'allow';
      /** What was checked: send this, not what may have been changed since. */
      arguments: JsonObject;
      /** To be told how the call ended; present when that is recorded. */
      finish?: (ended: 'done' | 'failed', message?: string) => Promise<void>;
    }
  | { action: 'deny'; code: string; message: string }
  | { action: 'hold'; receipt: Receipt };

export interface GateOptions {
  /** The project's folder. Default: the process's working directory. */
  cwd?: string;
  lockfile?: string;
  env?: NodeJS.ProcessEnv;
  notice?: (text: string) => void;
}

/** One decision behind all adapters. In a process, a convenience: the proxy is the boundary. */
export interface Gate {
  /**
   * Never throws: what goes wrong is a denial with its code. With `ends` the caller promises to call `finish`; only then
   * is an approval consumed by repeating the call. Without, an approved call is carried out by "gate execute" alone.
   */
  decide(call: GateCall, options?: { ends?: boolean }): Promise<GateDecision>;
  end(): Promise<void>;
}
