import type { ResolvedServer, ResolvedStdio, ServerPolicy, Source } from '../config/types.ts';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { visible, visibleLine } from '../util/hidden.ts';
import { captureStdio } from './capture-stdio.ts';
import type { ServerProcess } from './process-types.ts';
import type { Capture, CaptureTimes, Isolation, Surface } from './types.ts';

/** What a start of a server's process is told. */
export interface StartRequest {
  isolation: Isolation;
  policy: ServerPolicy;
  /** Milliseconds that fetching the package may take; not part of the start's own limit. */
  installTimeoutMs: number;
  /** Private folders that several starts of one server share; the starter makes its own when absent. */
  folders?: { home: string; tmpdir: string };
  signal?: AbortSignal;
}

/** A started process, with what is known about how it came about. */
export interface StartedProcess extends ServerProcess {
  /** Milliseconds that fetching the package took. */
  installMs?: number;
  /** The release that really runs, where it was learned. */
  source?: Source;
}

/** Starts a server; throws an `AgentGateError` (`E_INSTALL`, `E_ISOLATION`, `E_SPAWN`, …) when it cannot. */
export type StartProcess = (launch: ResolvedStdio, request: StartRequest) => Promise<StartedProcess>;

export interface CaptureOptions {
  /** Milliseconds from start to the last page of the last list; the policy's `timeout` goes before it. */
  timeoutMs: number;
  installTimeoutMs: number;
  isolation: Isolation;
  policy: ServerPolicy;
  /** Takes secrets out of a text before it is shown. */
  redact: (text: string) => string;
  startProcess: StartProcess;
  /** Where the server comes from, as its config declares it. */
  source: Source;
  /** 2: the server is started a second time with the same private folders; both surfaces are given. */
  starts: 1 | 2;
  /** Aborts the capture from outside. */
  signal?: AbortSignal;
}

/** What one start gave; filled in as far as it got. */
export interface Attempt {
  times: CaptureTimes;
  isolation: string;
  source: Source;
  surface?: Surface;
  notes: string[];
  stderr: string;
}

/**
 * Starts a declared server, or connects to it, and reads its surface. Never throws for what a server does: every
 * failure is data with a code and one sentence. Everything that was started has ended when this resolves.
 */
export async function captureServer(server: ResolvedServer, options: CaptureOptions): Promise<Capture> {
  const attempt: Attempt = {
    times: { installMs: 0, startMs: 0, listMs: 0 },
    isolation: 'none',
    source: options.source,
    notes: [],
    stderr: '',
  };
  try {
    const { launch } = server;
    if (launch.transport !== 'stdio')
      throw new AgentGateError('E_PROTOCOL', 'remote servers are not read yet');
    const surfaces = await captureStdio(launch, options, attempt);
    const { times, isolation, source, notes } = attempt;
    const [surface, second] = surfaces;
    if (surface === undefined) throw new AgentGateError('E_PROTOCOL', 'server gave no surface');
    return {
      ok: true,
      times,
      isolation,
      source,
      surface,
      ...(second === undefined ? {} : { second }),
      notes: notes.map((note) => options.redact(note)),
    };
  } catch (error) {
    const { times, isolation, source, stderr } = attempt;
    const code = error instanceof AgentGateError ? error.code : 'E_INTERNAL';
    const shown = visible(options.redact(stderr)).trim();
    return {
      ok: false,
      times,
      isolation,
      source,
      error: {
        code,
        message: visibleLine(options.redact(messageOf(error))),
        ...(shown === '' ? {} : { stderr: shown }),
      },
    };
  }
}
