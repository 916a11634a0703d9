import { type CaptureOptions, captureServer } from '../../src/capture/capture.ts';
import type { Capture } from '../../src/capture/types.ts';
import type { ResolvedRemote, ResolvedServer, ResolvedStdio } from '../../src/config/types.ts';

export function resolvedServer(launch: ResolvedStdio | ResolvedRemote): ResolvedServer {
  return {
    declared: {
      key: 'odd',
      name: 'odd',
      client: 'claude-code',
      config: '.mcp.json',
      alsoIn: [],
      line: 1,
      column: 1,
      root: process.cwd(),
      launch:
        launch.transport === 'stdio'
          ? { ...launch, passEnv: [] }
          : {
              transport: launch.transport,
              url: launch.url,
              headers: launch.headers,
              variableHeaders: new Map(),
            },
    },
    launch,
    variables: [],
    secrets: [],
    secretNames: new Map(),
  };
}

export function captureOptions(options: Partial<CaptureOptions> = {}): CaptureOptions {
  return {
    timeoutMs: 20_000,
    installTimeoutMs: 20_000,
    isolation: 'none',
    policy: {
      env: new Map(),
      passEnv: [],
      resources: 'pin',
      home: 'private',
      network: 'inherit',
      volatile: [],
    },
    redact: (text) => text,
    source: { type: 'local' },
    starts: 1,
    ...options,
  };
}

/** Captures `node ARGS…` over stdio. */
export async function captureNode(
  args: string[],
  options: Partial<CaptureOptions> & { env?: Record<string, string> } = {},
): Promise<Capture> {
  const { env = {}, ...rest } = options;
  const launch: ResolvedStdio = {
    transport: 'stdio',
    command: process.execPath,
    args,
    env: new Map(Object.entries(env)),
    cwd: process.cwd(),
  };
  return await captureServer(resolvedServer(launch), captureOptions(rest));
}

export async function captureUrl(
  url: string,
  options: Partial<CaptureOptions> & Partial<ResolvedRemote> = {},
): Promise<Capture> {
  const { transport = 'auto', headers = new Map<string, string>(), oauth, ...rest } = options;
  const launch: ResolvedRemote = { transport, url, headers, ...(oauth === undefined ? {} : { oauth }) };
  return await captureServer(resolvedServer(launch), captureOptions(rest));
}
