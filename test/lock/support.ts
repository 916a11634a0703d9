import type { Surface } from '../../src/capture/types.ts';
import type { ServerPolicy } from '../../src/config/types.ts';
import { type PinOptions, pinSurface } from '../../src/lock/pin.ts';
import { pinServerSkills } from '../../src/lock/pin-server-skills.ts';
import type { Lock, LockedServer } from '../../src/lock/types.ts';
import { mergeLock } from '../../src/lock/write.ts';
import type { Json } from '../../src/util/json.ts';

export const policy: ServerPolicy = {
  env: new Map(),
  passEnv: [],
  resources: 'pin',
  home: 'private',
  network: 'inherit',
  volatile: [],
};

export const pinOptions: PinOptions = {
  server: 'notes',
  paths: { cwd: '/home/ada/project', home: '/tmp/agentgate-h1/home', tmpdir: '/tmp/agentgate-h1/tmp' },
  policy,
  launch: { command: 'npx', args: ['-y', 'notes-server@1.2.3', '.'], env: ['LOG_LEVEL'] },
  source: { type: 'npm', package: 'notes-server', version: '1.2.3', integrity: 'sha512-AAAA' },
  config: '.mcp.json',
  pinSkills: pinServerSkills,
};

export function surface(parts: Partial<Surface> = {}): Surface {
  return {
    protocolVersion: '2025-11-25',
    transport: 'stdio',
    tools: [],
    prompts: [],
    resources: [],
    resourceTemplates: [],
    asked: [],
    ...parts,
  };
}

/** Pins what must be pinnable. */
export function pinned(parts: Partial<Surface>, options: Partial<PinOptions> = {}): LockedServer {
  const { entry, problems } = pinSurface(surface(parts), { ...pinOptions, ...options });
  if (problems.length > 0) throw new Error(problems.map((problem) => problem.message).join('\n'));
  return entry;
}

export const NOW = new Date('2026-11-29T12:00:00.789Z');

export function lockOf(servers: { [key: string]: LockedServer }): Lock {
  return mergeLock(undefined, new Map(Object.entries(servers)), { keep: [], version: '0.1.0', now: NOW });
}

/** A tool with a description and a small schema. */
export function tool(name: string, more: { [key: string]: Json } = {}): Json {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    ...more,
  };
}

/** The code of what `run` throws; undefined when it returns. */
export function thrown(run: () => unknown): {
  code: string;
  message: string;
  place: { [key: string]: unknown };
} {
  try {
    run();
  } catch (error) {
    return error as ReturnType<typeof thrown>;
  }
  throw new Error('nothing was thrown');
}
