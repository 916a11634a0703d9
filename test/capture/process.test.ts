import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrivateFolders, type PrivateFolders } from '../../src/capture/private-folders.ts';
import { startServer } from '../../src/capture/process.ts';
import { isAlive } from '../../src/capture/process-table.ts';
import type { ServerProcess } from '../../src/capture/process-types.ts';
import { STDERR_LIMIT } from '../../src/capture/stderr-tail.ts';
import type { ResolvedStdio } from '../../src/config/types.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'process-test-')));
let folders: PrivateFolders;
beforeEach(async () => {
  folders = await createPrivateFolders();
});
afterEach(() => folders.remove());
afterAll(() => rmSync(base, { recursive: true, force: true }));

function start(
  command: string,
  args: string[],
  changes: Partial<ResolvedStdio> = {},
): Promise<ServerProcess> {
  const launch: ResolvedStdio = { transport: 'stdio', command, args, env: new Map(), cwd: base, ...changes };
  return startServer(launch, { server: 'tested', folders, isolation: 'none' });
}

async function output(server: ServerProcess): Promise<string> {
  let text = '';
  for await (const chunk of server.stdout) text += String(chunk);
  return text;
}

describe('start of a server', () => {
  it('runs in its folder with its own HOME and TMPDIR, and says so', async () => {
    const script =
      "console.log(JSON.stringify([process.cwd(),require('os').homedir(),require('os').tmpdir()]))";
    const server = await start('node', ['-e', script]);
    expect(JSON.parse(await output(server))).toEqual([base, folders.home, folders.tmpdir]);
    expect(server.paths).toEqual({ cwd: base, home: folders.home, tmpdir: folders.tmpdir });
    expect(server.isolation).toBe('none');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    await server.end();
  });

  it('gives exit code and signal', async () => {
    const failed = await start('node', ['-e', 'process.exit(3)']);
    expect(await failed.exited).toEqual({ code: 3, signal: null });
    const killed = await start('node', ['-e', "process.kill(process.pid,'SIGKILL')"]);
    const { code, signal } = await killed.exited;
    expect(process.platform === 'win32' ? code : signal).toBe(process.platform === 'win32' ? 1 : 'SIGKILL');
    await Promise.all([failed.end(), killed.end()]);
  });

  it('says what to do about a command that does not exist', async () => {
    const error = await start('no-such-command-at-all', []).catch((caught) => caught);
    expect(error).toMatchObject({ code: 'E_COMMAND_NOT_FOUND', place: { server: 'tested' } });
    expect(error.message).toContain('"no-such-command-at-all", which is not on the PATH; install it');
    await expect(start('./missing.sh', [])).rejects.toMatchObject({ code: 'E_COMMAND_NOT_FOUND' });
  });

  it.skipIf(process.platform === 'win32')('takes a file that may not be run for no command', async () => {
    writeFileSync(join(base, 'plain.sh'), '#!/bin/sh\n', { mode: 0o644 });
    await expect(start('./plain.sh', [])).rejects.toMatchObject({ code: 'E_COMMAND_NOT_FOUND' });
  });

  it('says when its folder does not exist', async () => {
    const launch = { cwd: join(base, 'missing') };
    await expect(start('node', ['-v'], launch)).rejects.toMatchObject({ code: 'E_WORKING_DIRECTORY' });
  });

  it('keeps the last 16 KiB of stderr, whole characters, however much there is', async () => {
    const server = await start('node', [
      '-e',
      "for(let i=0;i<3000;i++)process.stderr.write('ü'.repeat(50)+'\\n');process.stderr.write('end')",
    ]);
    await output(server);
    await server.exited;
    await server.end();
    const tail = server.stderrTail();
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(STDERR_LIMIT);
    expect(Buffer.byteLength(tail)).toBeGreaterThan(STDERR_LIMIT - 4);
    expect(tail).not.toContain('\ufffd');
    expect(tail.endsWith('\nend')).toBe(true);
  });

  it('survives a server that closes its input', async () => {
    const server = await start('node', [
      '-e',
      "process.stdin.destroy();console.log('closed');setTimeout(()=>process.exit(0),50)",
    ]);
    await output(server);
    for (let count = 0; count < 20; count++) server.stdin.write('x'.repeat(100_000));
    await server.exited;
    await server.end();
  });
});

describe('end of a server', () => {
  it("is quick and clean when stdin's end is enough; twice is once", async () => {
    const server = await start('node', ['-e', "process.stdin.resume().on('end',()=>process.exit(7))"]);
    await Promise.all([server.end(), server.end()]);
    expect(await server.exited).toEqual({ code: 7, signal: null });
  });

  it('ends one that ignores all but SIGKILL', async () => {
    const server = await start('node', [
      '-e',
      "process.on('SIGTERM',()=>{});console.log('up');setInterval(()=>{},1000)",
    ]);
    await new Promise((resolve) => server.stdout.once('data', resolve));
    await server.end();
    expect(server.pid !== undefined && isAlive(server.pid)).toBe(false);
  });
});

describe('private folders', () => {
  it('go with read-only folders in them', async () => {
    const own = await createPrivateFolders();
    const server = await startServer(
      {
        transport: 'stdio',
        command: 'node',
        args: [
          '-e',
          "const f=require('fs');f.mkdirSync(process.env.HOME+'/a/b',{recursive:true});f.writeFileSync(process.env.HOME+'/a/b/c','');f.chmodSync(process.env.HOME+'/a/b',0o500)",
        ],
        env: new Map(),
        cwd: base,
      },
      { server: 'tested', folders: own, isolation: 'none' },
    );
    await server.exited;
    await server.end();
    await own.remove();
    await own.remove();
    expect(existsSync(own.root)).toBe(false);
  });
});
