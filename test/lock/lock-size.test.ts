import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LOCK_BYTES, LOCK_CAPABILITIES, LOCK_SERVERS, refuseLargeParts } from '../../src/lock/lock-size.ts';
import { parseLock } from '../../src/lock/read.ts';
import { readLock } from '../../src/lock/read-file.ts';
import type { Lock } from '../../src/lock/types.ts';
import { writeLock } from '../../src/lock/write.ts';
import { AgentGateError } from '../../src/util/errors.ts';

const MIB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'lock-size-'));
const path = join(folder, 'agentgate.lock');
afterAll(() => rmSync(folder, { recursive: true }));

const lockText = (servers: string): string => `{"lockfileVersion":1,"servers":{${servers}}}`;
const HASH = `sha256:${'0'.repeat(64)}`;

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof AgentGateError) return error.code;
    throw error;
  }
  return 'none';
}

describe('a lock file that is made to exhaust a reader', () => {
  it('is refused by its size, before it is read', async () => {
    writeFileSync(path, '{');
    truncateSync(path, 200 * MIB);
    await expect(readLock(path, 'agentgate.lock')).rejects.toMatchObject({
      code: 'E_LOCK_TOO_LARGE',
      message: expect.stringMatching(/^agentgate\.lock takes more than 96 MiB.*restore it from git/),
    });
  });

  it('is refused by the values that it holds, before it is parsed', () => {
    expect(codeOf(() => parseLock(lockText(`"a":{"x":[${'[],'.repeat(3_000_000)}0]}`), 'x'))).toBe(
      'E_LOCK_TOO_LARGE',
    );
    // The same commas inside of a text are no values.
    expect(codeOf(() => parseLock(lockText(`"a":{"config":"${'[],'.repeat(3_000_000)}"}`), 'x'))).toBe(
      'none',
    );
  });

  it('is refused when one character makes all of it take two bytes each', async () => {
    const text = lockText(`"a":{"config":"\u0142${'x'.repeat(49 * MIB)}"}`);
    expect(codeOf(() => parseLock(text, 'x'))).toBe('E_LOCK_TOO_LARGE');
    writeFileSync(path, text);
    await expect(readLock(path, 'x')).rejects.toMatchObject({ code: 'E_LOCK_TOO_LARGE' });
    expect(codeOf(() => parseLock(text.replace('\u0142', 'x'), 'x'))).toBe('none');
  });

  it('is refused by its servers and capabilities', () => {
    const servers = (count: number): string =>
      lockText(Array.from({ length: count }, (_, index) => `"s${index}":{}`).join());
    expect(codeOf(() => parseLock(servers(LOCK_SERVERS), 'x'))).toBe('none');
    expect(codeOf(() => parseLock(servers(LOCK_SERVERS + 1), 'x'))).toBe('E_LOCK_TOO_LARGE');
    const prompts = (count: number): string =>
      lockText(
        `"a":{"prompts":{${Array.from({ length: count }, (_, index) => `"p${index}":{"hash":"${HASH}"}`).join()}}}`,
      );
    expect(codeOf(() => parseLock(prompts(LOCK_CAPABILITIES), 'x'))).toBe('none');
    expect(codeOf(() => parseLock(prompts(LOCK_CAPABILITIES + 1), 'x'))).toBe('E_LOCK_TOO_LARGE');
  });

  it('is a plain error when it is nested without end', () => {
    const deep = lockText(`"a":{"x":${'['.repeat(1_500_000)}${']'.repeat(1_500_000)}}`);
    expect(codeOf(() => parseLock(deep, 'x'))).toMatch(/^E_LOCK_(?:INVALID|TOO_LARGE)$/);
    expect(codeOf(() => parseLock(lockText(`"a":{"x":${'{"a":'.repeat(2_000_000)}`), 'x'))).toMatch(
      /^E_LOCK_(?:SYNTAX|TOO_LARGE)$/,
    );
  });
});

describe('a lock that could not be read again', () => {
  it('is not written: the file stays as it was', async () => {
    rmSync(path, { force: true });
    const lock = (size: number): Lock => ({
      lockfileVersion: 1,
      servers: new Map([['a', { config: 'x'.repeat(size), extra: {} }]]),
      extra: {},
    });
    expect(await writeLock(path, lock(1))).toEqual({ written: true });
    const before = statSync(path);
    await expect(writeLock(path, lock(LOCK_BYTES))).rejects.toMatchObject({
      code: 'E_LOCK_TOO_LARGE',
    });
    expect(statSync(path)).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs, ino: before.ino });
  });

  it('counts all parts together', () => {
    const parts = Array.from({ length: 60 }, () => 'x'.repeat(MIB));
    expect(codeOf(() => [...refuseLargeParts(parts, 'x')])).toBe('none');
    expect(codeOf(() => [...refuseLargeParts([...parts, '\u0142'], 'x')])).toBe('E_LOCK_TOO_LARGE');
  });
});
