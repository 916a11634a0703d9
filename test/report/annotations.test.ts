import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { annotationsFor } from '../../src/report/annotations.ts';
import { change, finding, report, rugPull, server } from './fixtures.ts';
import { hostileText } from './hostile.ts';

test('one for each capability, worst first, on its line of the lock, else of the server', () => {
  const made = annotationsFor(rugPull());
  expect(made.map(({ level, file, line, title }) => ({ level, file, line, title }))).toEqual([
    { level: 'error', file: '.mcp.json', line: 4, title: 'AgentGate: weather was not checked' },
    { level: 'error', file: 'agentgate.lock', line: 31, title: 'AgentGate: calculator tool add' },
    { level: 'error', file: '.mcp.json', line: 4, title: 'AgentGate: calculator tool delete_history' },
    { level: 'error', file: '.mcp.json', line: 4, title: 'AgentGate: calculator tool divide' },
    { level: 'error', file: undefined, line: undefined, title: 'AgentGate' },
  ]);
  expect(made.at(-1)?.message).toMatch(/^AgentGate: unchecked: 1 server unchecked, 3 changes not accepted/);
  expect(made[1]?.message).toContain('AG-TP-003: The text asks the model to read a file that holds secrets.');
});

test('paths are relative to the workspace', () => {
  const made = annotationsFor({
    ...report({ servers: [server('notes', { status: 'drift' })], changes: [change({ lockLine: 7 })] }),
    context: { event: 'push', repository: 'o/r', workingDirectory: './packages/a' },
  });
  expect(made[0]).toMatchObject({ file: 'packages/a/agentgate.lock', line: 7 });
});

describe('levels', () => {
  const level = (parts: Parameters<typeof report>[0]): string[] =>
    annotationsFor(report(parts)).flatMap((one) => (one.title === 'AgentGate' ? [] : [one.level]));
  test('drift that fails the run is an error', () =>
    expect(level({ changes: [change()] })).toEqual(['error']));
  test('drift that does not is a warning', () => {
    expect(level({ changes: [change()], failOn: 'high' })).toEqual(['warning']);
    expect(level({ changes: [change()], failOn: 'never' })).toEqual(['warning']);
  });
  test('what the pull request accepts is a notice', () => {
    expect(level({ changes: [change({ accepted: true })] })).toEqual(['notice']);
  });
  test('a finding on something unchanged', () => {
    expect(level({ findings: [finding()] })).toEqual(['error']);
    expect(level({ findings: [finding({ severity: 'low' })] })).toEqual(['warning']);
    expect(level({ findings: [finding({ suppressed: 'known' })] })).toEqual([]);
  });
  test('a reviewed server that the pull request switches off', () => {
    const switchedOff = { byPullRequest: true as const };
    expect(level({ servers: [server('notes', { status: 'skipped', switchedOff })] })).toEqual(['warning']);
    expect(level({ servers: [server('notes', { status: 'skipped' })] })).toEqual([]);
  });
  test('an error of the run', () => {
    expect(
      annotationsFor(
        report({ errors: [{ code: 'E_X', message: 'no comma', file: '.mcp.json', line: 3, column: 30 }] }),
      ),
    ).toMatchObject([{ file: '.mcp.json', line: 3, column: 30 }, { title: 'AgentGate' }]);
    expect(
      level({ errors: [{ code: 'E_LOCK', message: 'the lock is broken', file: 'agentgate.lock', line: 9 }] }),
    ).toEqual(['error']);
  });
});

test.each(['E_INPUT', 'E_NO_CONFIG'])('%s speaks of no file and points at none', (code) => {
  const [made] = annotationsFor(report({ errors: [{ code, message: 'name a config' }] }));
  expect(made).toMatchObject({ level: 'error', title: `AgentGate: ${code}` });
  expect(made).not.toHaveProperty('file');
  expect(made).not.toHaveProperty('line');
});

test('a lock that is not there has no line', () => {
  const missing = { code: 'E_LOCK_MISSING', message: 'there is no lock', file: 'agentgate.lock' };
  expect(annotationsFor(report({ errors: [missing] }))[0]).not.toHaveProperty('file');
});

describe('ten of a level are kept: nine, and a place for the last word', () => {
  const changes = (count: number, accepted = false) =>
    Array.from({ length: count }, (_, n) => change({ name: `t${n}`, accepted }));
  test('a failing run ends with why, and with how many more there are', () => {
    expect(annotationsFor(report({ changes: changes(9) }))).toHaveLength(10);
    const made = annotationsFor(report({ changes: changes(25) }));
    expect(made).toHaveLength(10);
    expect(made.at(-1)?.title).toBe('AgentGate');
    expect(made.at(-1)?.message).toContain('25 changes not accepted');
    expect(made.at(-1)?.message).toContain('16 more of this level are in the job summary');
  });
  test('one place is left where none fails', () => {
    expect(annotationsFor(report({ changes: changes(9, true) }))).toHaveLength(9);
    const made = annotationsFor(report({ changes: changes(25, true) }));
    expect(made).toHaveLength(9);
    expect(made.at(-1)?.title).toBe('AgentGate: 17 more');
  });
});

test('whatever the texts are: plain, one line, within the limits, no line 0', () => {
  fc.assert(
    fc.property(
      fc.array(hostileText, { minLength: 3, maxLength: 8 }),
      fc.integer({ min: -2, max: 3 }),
      (items, line) => {
        const pick = (n: number): string => items[n % items.length] ?? '';
        const made = annotationsFor(
          report({
            servers: [
              server(pick(0), {
                status: 'unchecked',
                line,
                config: pick(1),
                error: { code: pick(2), message: pick(3).repeat(2_000) },
              }),
            ],
            changes: [
              change({
                server: pick(0),
                name: pick(1),
                lockLine: line,
                fields: [{ pointer: pick(2), class: pick(3), severity: 'low' }],
              }),
            ],
            findings: [finding({ server: pick(4), name: pick(5), message: pick(6) })],
            errors: [{ code: pick(7), message: pick(0), file: pick(1), line }],
          }),
        );
        expect(made.length).toBeGreaterThan(2);
        for (const one of made) {
          expect(one.line ?? 1).toBeGreaterThanOrEqual(1);
          expect(one.message.length).toBeLessThanOrEqual(4_096);
          for (const text of [one.file ?? '', one.title, one.message])
            expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
        }
      },
    ),
    { numRuns: 150 },
  );
});
