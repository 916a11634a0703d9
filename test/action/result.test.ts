import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseReport } from '../../src/report/parse-report.ts';
import { plainEvent, pullRequestEvent, workflowRunEvent } from '../support/github/events.ts';
import { change, cleanParts, driftParts, runPrepared } from '../support/github/prepared.ts';
import type { Prepared } from '../support/github/prepared-entry.ts';
import { makeWorkspace } from '../support/github/workspace.ts';

const SHA = '1'.repeat(40);
const workspace = makeWorkspace({ base: { 'agentgate.lock': '{}', 'sub/x': 'x' }, checkout: 'plain' }).path;

const run = (
  prepared: Prepared,
  options: {
    event?: { name: string; payload: unknown };
    inputs?: Record<string, string>;
    env?: Record<string, string | undefined>;
    signal?: { name: NodeJS.Signals; after: string };
    workspace?: string;
  } = {},
) => runPrepared(prepared, { event: plainEvent('push'), workspace, ...options });

describe('verdict, outputs and exit code', () => {
  it.each([
    [
      'clean',
      cleanParts(),
      0,
      { verdict: 'clean', drift: 'false', changes: '0', findings: '0', unchecked: '0' },
    ],
    [
      'drift',
      driftParts(),
      1,
      { verdict: 'drift', drift: 'true', changes: '1', findings: '0', unchecked: '0' },
    ],
    [
      'a server that did not start',
      {
        ...driftParts(),
        servers: [
          {
            key: 'docs',
            status: 'unchecked' as const,
            tools: 0,
            error: { code: 'E_START', message: 'it ended' },
          },
        ],
      },
      2,
      { verdict: 'unchecked', drift: 'true', changes: '1', unchecked: '1' },
    ],
    [
      'a missing lock',
      {
        ...cleanParts(),
        servers: [],
        lockfile: { path: 'agentgate.lock', sha256: null },
        errors: [{ code: 'E_LOCK_MISSING', message: 'there is no agentgate.lock' }],
      },
      2,
      { verdict: 'unchecked', drift: 'false', changes: '0', unchecked: '0', 'lock-sha256': '' },
    ],
  ])('of %s', async (_, parts, exitCode, outputs) => {
    const result = await run({ parts });
    expect(result.exitCode).toBe(exitCode);
    expect(result.outputs).toMatchObject(outputs);
    expect(result.outputs['comment-url']).toBeUndefined();
    expect(result.annotations.some(({ command }) => command === 'error')).toBe(exitCode > 0);
    expect(result.summary).toContain('AgentGate');
    const report = parseReport(readFileSync(String(result.outputs.report), 'utf8'));
    expect(report.verdict).toBe(outputs.verdict);
    expect(existsSync(String(result.outputs.sarif))).toBe(true);
    expect(result.outputs.report?.startsWith(result.temp)).toBe(true);
  });

  it('passes every input on', async () => {
    const { asked } = await run(
      { parts: cleanParts() },
      {
        inputs: {
          config: 'a.json\n**/b.json',
          servers: 'one\ntwo',
          'all-clients': 'true',
          'fail-on': 'high',
          timeout: '7',
          concurrency: '3',
          isolation: 'strict',
          'working-directory': 'sub',
        },
      },
    );
    expect(asked).toMatchObject({
      cwd: join(workspace, 'sub'),
      config: ['a.json', '**/b.json'],
      servers: ['one', 'two'],
      allClients: true,
      failOn: 'high',
      timeoutMs: 7000,
      concurrency: 3,
      isolation: 'strict',
      starts: 1,
      lockfile: 'agentgate.lock',
      context: { event: 'push', workingDirectory: 'sub' },
    });
  });

  it('works without a summary and without outputs', async () => {
    const result = await run(
      { parts: driftParts() },
      { env: { GITHUB_STEP_SUMMARY: undefined, GITHUB_OUTPUT: undefined } },
    );
    expect(result.exitCode).toBe(1);
    expect(result.log).not.toContain('could not write');
    expect(result.commands.map(({ command }) => command)).not.toContain('set-output');
  });

  it('keeps the verdict when nothing can be written', async () => {
    const nowhere = join(workspace, 'none');
    const result = await run(
      { parts: driftParts() },
      { env: { GITHUB_STEP_SUMMARY: nowhere, GITHUB_OUTPUT: join(nowhere, 'x') } },
    );
    expect(result.exitCode).toBe(1);
    const warnings = result.annotations.filter(({ command }) => command === 'warning');
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('could not write the outputs'),
      expect.stringContaining('could not write the job summary'),
    ]);
  });

  it('writes the files where the inputs say', async () => {
    const result = await run(
      { parts: cleanParts() },
      { inputs: { report: 'out/r.json', sarif: 'out/r.sarif', 'working-directory': 'sub' } },
    );
    expect(result.outputs.report).toBe(join(workspace, 'sub/out/r.json'));
    expect(existsSync(join(workspace, 'sub/out/r.sarif'))).toBe(true);
  });

  it('does not follow a link out of the workspace', async () => {
    const linked = makeWorkspace({ base: { a: 'a' }, checkout: 'plain' }).path;
    const outside = join(linked, '..', 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(linked, 'out'));
    for (const [input, value] of [
      ['report', 'out/report.json'],
      ['working-directory', 'out'],
    ] as const) {
      const inputs = { [input]: value };
      const result = await run({ parts: cleanParts() }, { inputs, workspace: linked });
      expect(result.exitCode).toBe(2);
      expect(result.log).toContain('leads out of the workspace');
      expect(result.asked).toBeUndefined();
    }
    rmSync(join(linked, 'out'));
  });
});

describe('the log', () => {
  const hostile =
    '::error::forged\r::warning::forged\n##[error]forged\u0085::notice::forged \u202E ::set-output name=x::y';

  it('holds no command that a server wrote', async () => {
    const parts = driftParts([
      change({
        name: hostile,
        fields: [
          {
            pointer: '/description',
            class: 'text-changed',
            severity: 'low',
            before: hostile,
            after: `${hostile}\n${hostile}`,
          },
        ],
      }),
    ]);
    const result = await run({
      parts: {
        ...parts,
        servers: [
          {
            key: hostile,
            status: 'unchecked',
            tools: 0,
            error: { code: 'E_START', message: hostile, stderr: hostile },
          },
        ],
        errors: [{ code: 'E_CONFIG', message: hostile, file: hostile }],
        findings: [
          {
            rule: 'AG-TP-001',
            severity: 'high',
            server: hostile,
            kind: 'tool',
            name: hostile,
            pointer: '/description',
            message: hostile,
            evidence: hostile,
            suppressed: null,
          },
        ],
      },
    });
    expect(result.exitCode).toBe(2);
    const names = new Set(result.commands.map(({ command }) => command));
    expect([...names].sort()).toEqual(['add-mask', 'error']);
    expect(result.annotations.filter(({ message }) => message.trim() === 'forged')).toEqual([]);
    expect(result.annotations.every(({ properties }) => properties.title?.startsWith('AgentGate'))).toBe(
      true,
    );
  });

  it('masks secrets, but no single letters', async () => {
    const result = await run({ parts: cleanParts(), secrets: ['s3cr3t-value', 'x', '', '  ', 'two\nlines'] });
    expect(result.masks).toEqual(['job-token', 's3cr3t-value', 'two\nlines']);
  });
});

describe('annotations', () => {
  it('are at most ten a level, with the rest counted', async () => {
    const many = Array.from({ length: 40 }, (_, i) => change({ name: `tool_${i}`, lockLine: i + 1 }));
    const result = await run({
      parts: driftParts([...many, ...many.map((one) => ({ ...one, accepted: true }))]),
    });
    for (const level of ['error', 'warning', 'notice'])
      expect(result.annotations.filter(({ command }) => command === level).length).toBeLessThanOrEqual(10);
    const errors = result.annotations.filter(({ command }) => command === 'error');
    expect(errors).toHaveLength(10);
    expect(errors.at(-1)?.message).toContain('31 more of this level');
    const notices = result.annotations.filter(({ command }) => command === 'notice');
    expect(notices).toHaveLength(9);
    expect(notices.at(-1)?.properties.title).toBe('AgentGate: 32 more');
    expect(result.log).toContain('AgentGate: drift: 40 changes not accepted');
  });

  it('stand on the line of the lock, seen from the workspace', async () => {
    const result = await run({ parts: driftParts() }, { inputs: { 'working-directory': 'sub' } });
    expect(result.annotations[0]?.properties).toMatchObject({ file: 'sub/agentgate.lock', line: '12' });
  });
});

describe('the summary', () => {
  it('stays below the runner’s limit', async () => {
    const many = Array.from({ length: 1000 }, (_, i) =>
      change({
        name: `tool_${i}`,
        fields: [
          {
            pointer: '/description',
            class: 'text-changed',
            severity: 'low',
            before: `ä${i} `.repeat(400),
            after: `ö${i} `.repeat(400),
          },
        ],
      }),
    );
    const result = await run({ parts: driftParts(many) });
    expect(result.exitCode).toBe(1);
    expect(Buffer.byteLength(result.summary)).toBeGreaterThan(100_000);
    expect(Buffer.byteLength(result.summary)).toBeLessThanOrEqual(1024 * 1024);
  });
});

describe('what ends a run before the check', () => {
  it.each([
    ['a wrong input', { inputs: { 'fail-on': 'all' } }, 'E_INPUT'],
    ['a working directory that is none', { inputs: { 'working-directory': 'nope' } }, 'E_INPUT'],
    [
      'a fork under pull_request_target',
      {
        event: pullRequestEvent({
          number: 1,
          head: SHA,
          base: SHA,
          from: 'fork',
          name: 'pull_request_target',
        }),
      },
      'E_UNTRUSTED',
    ],
    ['a run of a fork', { event: workflowRunEvent({ headSha: SHA, from: 'fork' }) }, 'E_UNTRUSTED'],
    ['a payload that is no pull request', { event: { name: 'pull_request', payload: {} } }, 'E_EVENT'],
  ])('is %s', async (_, options, code) => {
    const result = await run({ parts: cleanParts() }, options);
    expect(result.exitCode).toBe(2);
    expect(result.asked).toBeUndefined();
    expect(result.outputs).toMatchObject({ verdict: 'unchecked', drift: 'false', changes: '0' });
    expect(result.annotations[0]?.properties.title).toBe(`AgentGate: ${code}`);
    expect(result.summary).toContain(code);
  });

  it('is not a fork under pull_request_target that the workflow allows', async () => {
    const event = pullRequestEvent({
      number: 1,
      head: SHA,
      base: SHA,
      from: 'fork',
      name: 'pull_request_target',
    });
    const inputs = { 'allow-untrusted-code': 'true', comment: 'never', 'github-token': '' };
    const result = await run({ parts: cleanParts() }, { event, inputs });
    expect(result.exitCode).toBe(0);
    expect(result.asked).toBeDefined();
  });

  it('warns of an input that there is not', async () => {
    const result = await run({ parts: cleanParts() }, { inputs: { 'fail-onn': 'any' } });
    expect(result.exitCode).toBe(0);
    expect(result.annotations.map(({ message }) => message)).toEqual([
      'there is no input fail-onn; see action.yml for their names',
    ]);
  });

  it.each([
    [{ code: 'E_POLICY', message: 'agentgate.yml line 3: unknown key' }, 'E_POLICY'],
    [{ message: 'boom' }, 'E_INTERNAL'],
  ])('is an error that the check throws: %j', async (throws, code) => {
    const result = await run({ parts: cleanParts(), throws });
    expect(result.exitCode).toBe(2);
    expect(result.outputs.verdict).toBe('unchecked');
    expect(result.annotations[0]?.properties.title).toBe(`AgentGate: ${code}`);
    expect(result.annotations[0]?.message).toContain(throws.message);
    expect(result.log).not.toContain('at preparedCheck');
  });
});

describe('cancelling', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s ends the check and says nothing more', async (name, exitCode) => {
    const result = await run({ parts: cleanParts(), hangs: true }, { signal: { name, after: 'docs: done' } });
    expect(result.exitCode).toBe(exitCode);
    expect(result.outputs).toEqual({});
    expect(result.annotations).toEqual([]);
  });
});
