import { isDeepStrictEqual } from 'node:util';
import type { ResolvedServer, ServerPolicy, Source } from '../config/types.ts';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { visible, visibleLine } from '../util/hidden.ts';
import { captureRemote } from './capture-remote.ts';
import { captureStdio } from './capture-stdio.ts';
import { refuseSecretsIn } from './environment.ts';
import type { installServer } from './install.ts';
import { MemoryPool, MemoryShare } from './memory.ts';
import type { startServer } from './process.ts';
import type { Capture, CaptureTimes, Isolation, Surface } from './types.ts';

export interface CaptureOptions {
  /** Milliseconds from start to the last page of the last list; the policy's `timeout` goes before it. */
  timeoutMs: number;
  /** Milliseconds that fetching the package may take. */
  installTimeoutMs: number;
  isolation: Isolation;
  policy: ServerPolicy;
  /** Takes secrets out of a text before it is shown. */
  redact: (text: string) => string;
  /** Where the server comes from, as its config declares it. */
  source: Source;
  /** 2: the server is started a second time with the same private folders; both surfaces are given. */
  starts: 1 | 2;
  /** The job's environment. Default: `process.env`. */
  env?: NodeJS.ProcessEnv;
  onProgress?: (state: 'fetching' | 'starting' | 'listing') => void;
  /** Called when the last process that was started for this server has ended; what is left to do is light. */
  onExit?: () => void;
  /** What all servers of the run may keep in memory together. Default: one for this server alone. */
  memory?: MemoryPool;
  /** Aborts the capture from outside. */
  signal?: AbortSignal;
  /** Default: {@link startServer} and {@link installServer}. */
  startProcess?: typeof startServer;
  install?: typeof installServer;
}

/** What is known of a capture so far; a failure tells as much of it as there is. */
export interface Progress {
  times: CaptureTimes;
  isolation: string;
  source: Source;
  surfaces: Surface[];
  memory: MemoryShare;
  notes: string[];
  /** Of the process that failed. */
  stderr: string;
  paths?: { cwd: string; home: string; tmpdir: string };
}

/**
 * Starts a declared server, or connects to it, and reads its surface. Never throws for what a server does: every
 * failure is data with a code and one sentence. Everything that was started has ended when this resolves.
 */
export async function captureServer(server: ResolvedServer, options: CaptureOptions): Promise<Capture> {
  const progress: Progress = {
    times: { installMs: 0, startMs: 0, listMs: 0 },
    isolation: 'none',
    source: options.source,
    surfaces: [],
    memory: new MemoryShare(options.memory ?? new MemoryPool()),
    notes: [],
    stderr: '',
  };
  try {
    const { launch } = server;
    if (launch.transport === 'stdio') await captureStdio(server.declared, launch, options, progress);
    else {
      const { url, headers, oauth } = launch;
      const texts = [url, ...headers.values(), oauth?.clientId ?? '', oauth?.clientSecret ?? ''];
      refuseSecretsIn(server.declared.key, options.env ?? process.env, texts);
      await captureRemote(launch, options, progress);
    }
    const { times, isolation, source, notes, paths } = progress;
    const [surface, second] = progress.surfaces;
    if (surface === undefined) throw new AgentGateError('E_INTERNAL', 'no surface was read');
    return {
      ok: true,
      times,
      isolation,
      source,
      surface,
      ...(second === undefined ? {} : { second }),
      ...(paths === undefined ? {} : { paths }),
      notes: notes.map((note) => options.redact(note)),
    };
  } catch (error) {
    progress.memory.release();
    const { times, isolation, source } = progress;
    const stderr = visible(options.redact(progress.stderr)).trim();
    return {
      ok: false,
      times,
      isolation,
      source,
      error: {
        code: error instanceof AgentGateError ? error.code : 'E_INTERNAL',
        message: visibleLine(options.redact(messageOf(error))),
        ...(stderr === '' ? {} : { stderr }),
      },
    };
  }
}

/** The limit of one start with its listing, in milliseconds. */
export function startLimit(options: CaptureOptions): number {
  return options.policy.timeout === undefined ? options.timeoutMs : options.policy.timeout * 1000;
}

/** Adds the surface of one start. What is the same in the first one is not kept twice. */
export function keepSurface(progress: Progress, surface: Surface): void {
  progress.memory.keepSurface();
  const [first] = progress.surfaces;
  if (first !== undefined)
    for (const list of ['tools', 'prompts', 'resources', 'resourceTemplates'] as const)
      surface[list] = surface[list].map((item, index) => {
        const before = first[list][index];
        return before !== undefined && isDeepStrictEqual(item, before) ? before : item;
      });
  progress.surfaces.push(surface);
}
