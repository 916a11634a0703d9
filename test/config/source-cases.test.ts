import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Origin } from '../../src/config/origin.ts';
import { deriveOrigin } from '../../src/config/source.ts';
import { sharedDir } from '../support/shared.ts';

interface Case {
  cmd: string[];
  expect: Record<string, unknown> & { via?: Record<string, unknown> };
}

const shared = sharedDir();
const cases: Case[] = shared
  ? JSON.parse(readFileSync(join(shared, 'peers', 'source-cases.json'), 'utf8'))
  : [];

/** In the prepared cases: what dnx reads after the package id is its own, up to `--` (their note says so). */
const CORRECTED = new Map([['dnx X.Y --version 1.0.0', { version: '1.0.0' }]]);

function comparable(origin: Origin, wanted: Case['expect']): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const key of Object.keys(wanted)) {
    const value: unknown = Object.entries(origin).find(([name]) => name === key)?.[1];
    if (key === 'via' && origin.via && wanted.via) found.via = comparable(origin.via, wanted.via);
    else found[key] = value ?? (key === 'version' ? null : undefined);
  }
  return found;
}

describe.skipIf(!shared)('the prepared launch commands', () => {
  test('are all there', () => expect(cases.length).toBeGreaterThan(50));

  test.each(cases.map((one) => [one.cmd.join(' '), one] as const))('%s', (line, { cmd, expect: wanted }) => {
    const [command = '', ...args] = cmd;
    const origin = deriveOrigin({ transport: 'stdio', command, args, env: new Map(), passEnv: [] }, {});
    const corrected = { ...wanted, ...CORRECTED.get(line) };
    expect(comparable(origin, corrected)).toEqual(corrected);
  });
});
