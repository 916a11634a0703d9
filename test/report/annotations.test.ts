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
  ]);
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
    annotationsFor(report(parts)).map((one) => one.level);
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
  test('an error of the run', () => {
    expect(
      annotationsFor(
        report({ errors: [{ code: 'E_X', message: 'no comma', file: '.mcp.json', line: 3, column: 30 }] }),
      ),
    ).toMatchObject([{ file: '.mcp.json', line: 3, column: 30 }]);
    expect(
      level({ errors: [{ code: 'E_LOCK', message: 'the lock is broken', file: 'agentgate.lock', line: 9 }] }),
    ).toEqual(['error']);
  });
});

test('at most ten a level: nine and one that counts the others', () => {
  const changes = (count: number) => Array.from({ length: count }, (_, n) => change({ name: `t${n}` }));
  expect(annotationsFor(report({ changes: changes(10) }))).toHaveLength(10);
  const made = annotationsFor(report({ changes: changes(25) }));
  expect(made).toHaveLength(10);
  expect(made.at(-1)?.title).toBe('AgentGate: 16 more');
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
          expect(one.line).toBeGreaterThanOrEqual(1);
          expect(one.message.length).toBeLessThanOrEqual(4_096);
          for (const text of [one.file, one.title, one.message])
            expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
        }
      },
    ),
    { numRuns: 150 },
  );
});
