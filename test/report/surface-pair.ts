import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Surface } from '../../src/capture/types.ts';
import { findCause } from '../../src/drift/cause.ts';
import { compareServer } from '../../src/drift/compare.ts';
import { pinSurface } from '../../src/lock/pin.ts';
import type { LockedServer } from '../../src/lock/types.ts';
import { buildReport } from '../../src/report/build.ts';
import type { Report, ServerReport } from '../../src/report/model.ts';
import type { Json, JsonObject } from '../../src/util/json.ts';

/** Two recorded releases of one server, as the pipeline would compare them. */
export interface Pair {
  key: string;
  package: string;
  before?: string;
  after?: string;
  accepted?: boolean;
}

function recorded(folder: string, name: string, version: string): JsonObject {
  return JSON.parse(
    readFileSync(join(folder, 'surfaces', `${name.replace('/', '__')}@${version}.json`), 'utf8'),
  );
}

function entry(folder: string, pair: Pair, version: string | undefined): LockedServer | undefined {
  if (version === undefined) return undefined;
  const raw = recorded(folder, pair.package, version);
  const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
  const surface: Surface = {
    protocolVersion: typeof raw.protocolVersion === 'string' ? raw.protocolVersion : '2025-06-18',
    transport: 'stdio',
    ...(raw.instructions === undefined ? {} : { instructions: raw.instructions }),
    ...(raw.capabilities === undefined ? {} : { capabilities: raw.capabilities }),
    tools: list(raw.tools),
    prompts: list(raw.prompts),
    resources: list(raw.resources),
    resourceTemplates: list(raw.resourceTemplates),
    asked: [],
  };
  const pinned = pinSurface(surface, {
    server: pair.key,
    paths: { cwd: '/nowhere/work', home: '/nowhere/home', tmpdir: '/nowhere/tmp' },
    policy: {
      env: new Map(),
      passEnv: [],
      resources: 'pin',
      home: 'private',
      network: 'inherit',
      volatile: [],
    },
    launch: { command: 'npx', args: ['-y', `${pair.package}@${version}`] },
    source: { type: 'npm', package: pair.package, version },
    config: '.mcp.json',
  });
  if (pinned.problems.length > 0) throw new Error(JSON.stringify(pinned.problems));
  return pinned.entry;
}

/** A report about recorded pairs; `quiet` are servers that match. */
export function pairReport(folder: string, pairs: Pair[], quiet: ServerReport[] = []): Report {
  const servers: ServerReport[] = [...quiet];
  const changes: Report['changes'] = [];
  for (const pair of pairs) {
    const before = entry(folder, pair, pair.before);
    const after = entry(folder, pair, pair.after);
    const found = compareServer(pair.key, before, after, { accepted: pair.accepted === true }).changes;
    changes.push(...found);
    const cause = before && after ? findCause({ locked: before, live: after, touched: true }) : undefined;
    servers.push({
      key: pair.key,
      status:
        pair.accepted === true
          ? 'match'
          : before === undefined
            ? 'new'
            : after === undefined
              ? 'gone'
              : 'drift',
      ...(pair.accepted === true
        ? { baseSource: before?.source, lockedSource: after?.source }
        : { lockedSource: before?.source }),
      source: after?.source,
      ...(cause === undefined ? {} : { cause: cause.cause, causeText: cause.text }),
      touched: true,
      config: '.mcp.json',
      transport: 'stdio',
      isolation: 'namespaces',
      tools: (after ?? before)?.tools?.size ?? 0,
    });
  }
  return buildReport({
    failOn: 'any',
    lockfile: { path: 'agentgate.lock', sha256: '9f2c41d0'.padEnd(64, '0') },
    durationMs: 2_100,
    servers,
    changes,
    findings: [],
    errors: [],
    info: [],
  });
}
