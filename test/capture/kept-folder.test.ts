import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { probeIsolation } from '../../src/capture/isolate.ts';
import { createPrivateFolders } from '../../src/capture/private-folders.ts';
import { startServer } from '../../src/capture/process.ts';

const { mechanism } = await probeIsolation();

describe.skipIf(mechanism === undefined)('a kept folder (needs Linux namespaces)', () => {
  const root = mkdtempSync(join(tmpdir(), 'kept-'));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function write(keeps: string[] | undefined): Promise<void> {
    mkdirSync(join(root, '.agentgate'), { recursive: true });
    for (const name of ['agentgate.lock', 'agentgate.yml', '.agentgate/ledger.jsonl', 'note.txt'])
      writeFileSync(join(root, name), 'before');
    const script = `for (const name of ['agentgate.lock', 'agentgate.yml', '.agentgate/ledger.jsonl', 'note.txt']) {
      try { require('fs').writeFileSync(name, 'after'); } catch {}
    }`;
    const folders = await createPrivateFolders();
    try {
      const server = await startServer(
        { transport: 'stdio', command: process.execPath, args: ['-e', script], env: new Map(), cwd: root },
        { server: 's', folders, isolation: 'strict', root, ...(keeps === undefined ? {} : { keeps }) },
      );
      expect(await server.exited).toMatchObject({ code: 0 });
      await server.end();
    } finally {
      await folders.remove();
    }
  }
  const text = (name: string): string => readFileSync(join(root, name), 'utf8');

  it('holds what the server writes, but not over what decides about the server', async () => {
    await write([root]);
    expect(text('note.txt')).toBe('after');
    for (const name of ['agentgate.lock', 'agentgate.yml', '.agentgate/ledger.jsonl'])
      expect(text(name)).toBe('before');
  });

  it('is nothing that a check gives: there all is thrown away', async () => {
    await write(undefined);
    expect(text('note.txt')).toBe('before');
  });
});
