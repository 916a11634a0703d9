import { describe, expect, test } from 'vitest';
import { countsOf } from '../../src/report/counts.ts';
import type { Report } from '../../src/report/model.ts';
import { change, finding, report, rugPull, server } from './fixtures.ts';

const outcome = (made: Report): [string, number] => [made.verdict, made.exitCode];
const drift = (severity: 'high' | 'medium' | 'low'): Parameters<typeof report>[0] => ({
  servers: [server('notes', { status: 'drift' })],
  changes: [change({ severity })],
});

describe('verdict and exit code', () => {
  test('all match', () => expect(outcome(report({ servers: [server('a')] }))).toEqual(['clean', 0]));
  test('nothing declared', () => expect(outcome(report())).toEqual(['clean', 0]));
  test('drift', () => expect(outcome(report(drift('low')))).toEqual(['drift', 1]));
  test('a gone server', () => {
    expect(outcome(report({ servers: [server('a', { status: 'gone' })] }))).toEqual(['drift', 1]);
  });
  test('accepted changes are no drift', () => {
    expect(outcome(report({ servers: [server('notes')], changes: [change({ accepted: true })] }))).toEqual([
      'clean',
      0,
    ]);
  });
  test('a medium finding', () => {
    expect(outcome(report({ findings: [finding({ severity: 'medium' })] }))).toEqual(['findings', 1]);
  });
  test('a low finding', () =>
    expect(outcome(report({ findings: [finding({ severity: 'low' })] }))).toEqual(['clean', 0]));
  test('a suppressed finding', () => {
    expect(outcome(report({ findings: [finding({ suppressed: 'quoted' })] }))).toEqual(['clean', 0]);
  });
  test('a server that was not checked comes before drift', () => {
    expect(outcome(rugPull())).toEqual(['unchecked', 2]);
  });
  test('an error of the run', () => {
    expect(outcome(report({ errors: [{ code: 'E_LOCK_MISSING', message: 'there is none' }] }))).toEqual([
      'unchecked',
      2,
    ]);
  });
});

describe('fail-on decides the exit and never the verdict', () => {
  test('never', () => {
    expect(outcome(report({ ...drift('high'), failOn: 'never' }))).toEqual(['drift', 0]);
    expect(outcome(report({ findings: [finding()], failOn: 'never' }))).toEqual(['findings', 0]);
  });
  test('a severity that is reached, and one that is not', () => {
    expect(outcome(report({ ...drift('high'), failOn: 'high' }))).toEqual(['drift', 1]);
    expect(outcome(report({ ...drift('medium'), failOn: 'high' }))).toEqual(['drift', 0]);
    expect(outcome(report({ findings: [finding({ severity: 'medium' })], failOn: 'high' }))).toEqual([
      'clean',
      0,
    ]);
    expect(outcome(report({ findings: [finding({ severity: 'low' })], failOn: 'low' }))).toEqual([
      'findings',
      1,
    ]);
  });
  test('a finding fails a run whose drift would pass', () => {
    expect(outcome(report({ ...drift('low'), findings: [finding()], failOn: 'high' }))).toEqual(['drift', 1]);
  });
  test('never makes no 0 of a 2', () => {
    const made = report({ servers: [server('a', { status: 'unchecked' })], failOn: 'never' });
    expect(outcome(made)).toEqual(['unchecked', 2]);
  });
});

test('worst first, not accepted before accepted, then by name in code unit order', () => {
  const made = report({
    changes: [
      change({ name: 'b', severity: 'low' }),
      change({ name: 'z', severity: 'critical', accepted: true }),
      change({ name: 'a', severity: 'low' }),
      change({ name: 'B', severity: 'low' }),
      change({ name: 'y', severity: 'high' }),
    ],
    servers: [server('b'), server('B'), server('a')],
  });
  expect(made.changes.map((one) => one.name)).toEqual(['y', 'B', 'a', 'b', 'z']);
  expect(made.servers.map((one) => one.key)).toEqual(['B', 'a', 'b']);
});

test('counts', () => {
  expect(countsOf(rugPull())).toEqual({
    servers: 4,
    matching: 1,
    drifting: 1,
    unchecked: 1,
    skipped: 1,
    tools: 19,
    skills: 0,
    changes: 3,
    accepted: 0,
    findings: 2,
    suppressed: 1,
    gatingFindings: 2,
    errors: 0,
  });
});
