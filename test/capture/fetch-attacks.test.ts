import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installServer } from '../../src/capture/install.ts';
import { createPrivateFolders, type PrivateFolders } from '../../src/capture/private-folders.ts';
import { resolveSource } from '../../src/capture/resolved-source.ts';
import type { Isolation } from '../../src/capture/types.ts';
import type { ResolvedStdio } from '../../src/config/types.ts';
import { git } from '../support/github/workspace.ts';
import { type FakeRegistry, integrityOf, startRegistry } from '../support/registry.ts';

/** Packages that attack while they are fetched, when the registry's credentials are near and the caches are writable. */

let base: string;
let folders: PrivateFolders;
const registries: FakeRegistry[] = [];
beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'attacks-')));
  for (const name of ['home', 'project', 'bin']) mkdirSync(join(base, name));
  folders = await createPrivateFolders();
});
afterEach(async () => {
  await folders.remove();
  rmSync(base, { recursive: true, force: true });
  for (const registry of registries.splice(0)) await registry.close();
});

const start = async (...packages: Parameters<typeof startRegistry>[0]): Promise<FakeRegistry> => {
  const registry = await startRegistry(packages);
  registries.push(registry);
  return registry;
};

function options(isolation: Isolation = 'auto'): Parameters<typeof installServer>[1] {
  const job = {
    PATH: `${join(base, 'bin')}:${process.env.PATH}`,
    HOME: join(base, 'home'),
    UV_INDEX_X_PASSWORD: 'hunter2',
  };
  return { server: 'tested', folders, isolation, job, root: join(base, 'project') };
}

function launch(command: string, ...args: string[]): ResolvedStdio {
  return { transport: 'stdio', command, args, env: new Map(), cwd: join(base, 'project') };
}

const named = (name: string, says: string, more = {}) => ({
  name,
  version: '1.0.0',
  manifest: { bin: 'bin/run.js', ...more },
  files: { 'bin/run.js': `#!/usr/bin/env node\nconsole.log(${JSON.stringify(says)})\n` },
});

describe.skipIf(process.platform === 'win32')('npm', () => {
  it('runs no program that the settings of a dependency from git name', async () => {
    const stolen = join(base, 'stolen');
    const evil = join(base, 'evil.sh');
    writeFileSync(evil, `#!/bin/sh\ntouch ${stolen}\nexec git "$@"\n`, { mode: 0o755 });
    const repository = (name: string, files: Record<string, string>): string => {
      const folder = join(base, name);
      mkdirSync(folder);
      for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
      git(folder, 'init', '--quiet');
      git(folder, 'add', '--all');
      git(folder, 'commit', '--quiet', '-m', 'x');
      return `git+file://${folder}`;
    };
    const second = repository('second', { 'package.json': '{"name":"second","version":"1.0.0"}' });
    const first = repository('first', {
      'package.json': JSON.stringify({
        name: 'first',
        version: '1.0.0',
        scripts: { prepare: `touch ${stolen}` },
        dependencies: { second },
      }),
      '.npmrc': `git=${evil}\nignore-scripts=false\nscript-shell=${evil}\n`,
    });
    const registry = await start(named('server', 'x', { dependencies: { first } }));
    writeFileSync(join(base, 'home/.npmrc'), `registry=${registry.url}\n`);
    await installServer(launch('npx', '-y', 'server@1.0.0'), options('none'));
    expect(existsSync(stolen)).toBe(false);
  });

  it('keeps what another registry gives apart, for the next server and for the next run', async () => {
    const [good, evil] = [named('server', 'good'), named('server', 'evil')];
    const [ours, theirs] = [await start(good), await start(evil)];
    writeFileSync(join(base, 'home/.npmrc'), `registry=${ours.url}\n`);
    const source = { type: 'npm', package: 'server', version: '1.0.0' } as const;
    const spec = launch('npx', '-y', 'server@1.0.0');
    const said = async (asked: ResolvedStdio, item: typeof good) => {
      const { launch: ready } = await installServer(asked, options());
      expect(await resolveSource(source, asked, options().job, ready)).toMatchObject({
        integrity: integrityOf(item),
      });
      return readFileSync(realpathSync(ready.command), 'utf8');
    };
    expect(await said(launch('npx', '-y', `--registry=${theirs.url}`, 'server@1.0.0'), evil)).toContain(
      'evil',
    );
    expect(await said(spec, good)).toContain('good');
    writeFileSync(join(base, 'project/.npmrc'), `registry=${theirs.url}\n`);
    expect(await said(spec, evil)).toContain('evil');
    rmSync(join(base, 'project/.npmrc'));
    expect(await said(spec, good)).toContain('good');
  });
});

describe.skipIf(process.platform === 'win32')('uv', () => {
  /** Installs as uv does: a build runs the package's code, and so does a Python that reads what lies in site-packages. */
  const FAKE = `#!/bin/sh
case " $* " in *" python -I -S -c "*) ;; *) echo "$UV_INDEX_X_PASSWORD" >"$UV_CACHE_DIR/pth";; esac
[ -z "$UV_NO_BUILD" ] || exit 1
mkdir -p "$UV_CACHE_DIR/archive-v0/own/lib/python3/site-packages/server-2.0.0.dist-info"
echo "$UV_INDEX_X_PASSWORD" >"$UV_CACHE_DIR/poison" || exit 0
echo x >"$SHARED/poison" 2>/dev/null || :
`;

  it('runs no code of a wheel, and a build writes to a cache of its own only, without credentials', async () => {
    const shared = join(base, 'home/.cache/uv');
    writeFileSync(join(base, 'bin/uvx'), FAKE.replace('$SHARED', shared));
    chmodSync(join(base, 'bin/uvx'), 0o755);
    const asked = launch('uvx', 'server');
    const { launch: ready } = await installServer(asked, options());
    const own = String(ready.env.get('UV_CACHE_DIR'));
    expect(own.startsWith(folders.tmpdir)).toBe(true);
    expect(readFileSync(join(own, 'poison'), 'utf8')).toBe('\n');
    expect(['poison', 'pth'].filter((name) => existsSync(join(shared, name)))).toEqual([]);
    expect(
      await resolveSource({ type: 'pypi', package: 'server' }, asked, options().job, ready),
    ).toMatchObject({
      version: '2.0.0',
    });
  });
});
