import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from '../../../src/action/run.ts';
import type { CheckOptions, CheckResult } from '../../../src/check.ts';
import { buildReport, type ReportParts } from '../../../src/report/build.ts';
import { AgentGateError } from '../../../src/util/errors.ts';

/** What the test prepared: a file named by AGENTGATE_PREPARED. */
export interface Prepared {
  parts: ReportParts;
  secrets?: string[];
  throws?: { code?: string; message: string };
  /** Runs until it is cancelled. */
  hangs?: boolean;
}

/** The action with a prepared report in the place of the check; what the check was asked is written beside it. */
async function preparedCheck(options: CheckOptions): Promise<CheckResult> {
  const file = process.env.AGENTGATE_PREPARED ?? '';
  const prepared = JSON.parse(readFileSync(file, 'utf8')) as Prepared;
  const { base: promised, env: _, signal, onProgress, ...plain } = options;
  const base = await promised;
  const baseConfig = base ? await base.readConfig('.mcp.json') : undefined;
  writeFileSync(`${file}.asked`, JSON.stringify({ ...plain, base, baseConfig }));
  onProgress?.({ server: 'docs', state: 'done', text: '2 tools' });
  if (prepared.hangs) await delay(40_000, undefined, { signal });
  if (prepared.throws) {
    const { code, message } = prepared.throws;
    throw code === undefined ? new Error(message) : new AgentGateError(code, message);
  }
  const report = buildReport({
    ...prepared.parts,
    failOn: options.failOn ?? prepared.parts.failOn,
    context: options.context,
  });
  return { report, secrets: prepared.secrets ?? [] };
}

process.exitCode = await run({ env: process.env, check: preparedCheck });
