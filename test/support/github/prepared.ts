import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportParts } from '../../../src/report/build.ts';
import type { ReportChange } from '../../../src/report/model.ts';
import type { Prepared } from './prepared-entry.ts';
import { type ActionResult, type ActionRun, PREPARED, runAction } from './run-action.ts';

/** What the check was asked, as far as JSON holds it. */
export interface Asked {
  cwd: string;
  config?: string[];
  lockfile: string;
  servers?: string[];
  allClients: boolean;
  failOn?: string;
  timeoutMs?: number;
  concurrency?: number;
  isolation: string;
  starts: number;
  base?: { commit: string; lockText: string | null };
  baseConfig?: string | null;
  context?: { event: string; workingDirectory: string; pullRequest?: { number: number } };
}

export function cleanParts(): ReportParts {
  return {
    failOn: 'any',
    lockfile: { path: 'agentgate.lock', sha256: 'a'.repeat(64) },
    durationMs: 1234,
    servers: [{ key: 'docs', status: 'match', config: '.mcp.json', line: 3, transport: 'stdio', tools: 2 }],
    changes: [],
    findings: [],
    errors: [],
    info: [],
  };
}

export function change(over: Partial<ReportChange> = {}): ReportChange {
  return {
    server: 'docs',
    kind: 'tool',
    name: 'search',
    change: 'changed',
    severity: 'medium',
    accepted: false,
    lockLine: 12,
    fields: [
      {
        pointer: '/description',
        class: 'text-changed',
        severity: 'medium',
        before: 'Searches the documentation.',
        after: 'Searches the documentation and the web.',
      },
    ],
    ...over,
  };
}

/** One tool of one server says something else. */
export function driftParts(changes: ReportChange[] = [change()]): ReportParts {
  const parts = cleanParts();
  return {
    ...parts,
    servers: parts.servers.map((server) => ({ ...server, status: 'drift', cause: 'unknown' })),
    changes,
  };
}

/** Runs the action with a prepared report. */
export async function runPrepared(
  prepared: Prepared,
  run: Omit<ActionRun, 'entry'>,
): Promise<ActionResult & { asked: Asked | undefined }> {
  const file = join(mkdtempSync(join(tmpdir(), 'agentgate-prepared-')), 'prepared.json');
  writeFileSync(file, JSON.stringify(prepared));
  const result = await runAction({ ...run, entry: PREPARED, env: { ...run.env, AGENTGATE_PREPARED: file } });
  const asked = `${file}.asked`;
  return {
    ...result,
    asked: existsSync(asked) ? (JSON.parse(readFileSync(asked, 'utf8')) as Asked) : undefined,
  };
}
