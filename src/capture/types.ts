import type { Source } from '../config/types.ts';
import type { Json, JsonObject } from '../util/json.ts';

export type Isolation = 'auto' | 'strict' | 'none';

/** What a server showed: raw definitions, in the server's order, unknown fields included. */
export interface Surface {
  /** The protocol revision that was spoken. */
  protocolVersion: string;
  /** `transport` in the lock. */
  transport: 'stdio' | 'http' | 'sse';
  instructions?: Json;
  capabilities?: Json;
  tools: Json[];
  prompts: Json[];
  resources: Json[];
  resourceTemplates: Json[];
  /** UI resources that tools name, read: URI to content. */
  uiResources?: Map<string, JsonObject>;
  /** Skills that the server offers (`io.modelcontextprotocol/skills`); absent when it does not. */
  skills?: ServerSkill[];
  /** What the server calls itself; information only. */
  serverInfo?: Json;
  /** Requests that the server sent to us, by method. */
  asked: string[];
}

/** An entry of `skills/list`, and what reading its files gave. */
export interface ServerSkill {
  entry: Json;
  /** By URI; empty for a skill that is `dynamic`. */
  files: Map<string, Uint8Array>;
}

export interface CaptureError {
  code: string;
  message: string;
  /** The last of stderr, redacted, invisible characters shown. */
  stderr?: string;
}

export interface CaptureTimes {
  installMs: number;
  startMs: number;
  listMs: number;
}

/** The outcome of starting and listing one server. Failures are data: one server never ends the run. */
export type Capture = {
  times: CaptureTimes /** How it ran, in a few words: `namespaces`, `none`, … */;
  isolation: string;
  source: Source;
} & (
  | {
      ok: true;
      surface: Surface;
      /** The second start's surface, when the server was started twice. */
      second?: Surface;
      /** Absolute paths of the host as the server saw them, to be masked; absent for remotes. */
      paths?: { cwd: string; home: string; tmpdir: string };
      notes: string[];
    }
  | { ok: false; error: CaptureError }
);
