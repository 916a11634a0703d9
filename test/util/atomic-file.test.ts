import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomic } from '../../src/util/atomic-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentgate-atomic-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(process.platform === 'win32')('what is there and no plain file', () => {
  it('a pipe is written to and stays one', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    await expect(writeFileAtomic(path, 'to nobody')).rejects.toMatchObject({ code: 'ENXIO' });
    // Read and write: opening it so waits for nobody.
    const both = openSync(path, 'r+');
    await writeFileAtomic(path, 'all of it');
    expect((await lstat(path)).isFIFO()).toBe(true);
    const read = Buffer.alloc(100);
    expect(read.toString('utf8', 0, readSync(both, read))).toBe('all of it');
    closeSync(both);
    expect(await readdir(folder)).toEqual(['pipe']);
  });

  it('a link is replaced, and what it leads to is left alone', async () => {
    const [path, other] = [join(folder, 'link'), join(folder, 'other')];
    await writeFile(other, 'of somebody else');
    await symlink(other, path);
    await writeFileAtomic(path, 'new');
    expect(await readFile(other, 'utf8')).toBe('of somebody else');
    expect(await readFile(path, 'utf8')).toBe('new');
  });

  it('a link to a device is replaced as well: it is not the device that was named', async () => {
    for (const device of ['/dev/null', '/dev/stdout', '/proc/self/fd/1']) {
      const path = join(folder, 'link');
      await rm(path, { force: true });
      await symlink(device, path);
      await writeFileAtomic(path, 'new');
      expect((await lstat(path)).isFile()).toBe(true);
      expect(await readFile(path, 'utf8')).toBe('new');
    }
  });

  it('a folder is an error and nothing is left behind', async () => {
    await expect(writeFileAtomic(folder, 'x')).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });
});
