import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT_MIB, memoryRuns } from '../support/strangers/memory.ts';
import { strange } from '../support/strangers/modes.ts';
import { type Entry, Project, type ServerOfProject } from '../support/strangers/project.ts';

/** Each goes over one bound of `DESIGN.md` §5. */
const OVER: Record<string, { runs: string[]; code: string; message: RegExp; timeout?: number }> = {
  message: {
    runs: strange('huge-line'),
    code: 'E_TOO_LARGE',
    message: /a line of more than 16 MiB|all servers together/,
  },
  surface: {
    runs: strange('huge-plain', '9'),
    code: 'E_TOO_LARGE',
    message: /more than 64 MiB|all servers together/,
  },
  wide: {
    runs: strange('huge-pages', '9'),
    code: 'E_TOO_LARGE',
    message: /more than 64 MiB|all servers together/,
  },
  values: {
    runs: strange('huge-trees', '2'),
    code: 'E_TOO_LARGE',
    message: /more than 1000000 values|all servers together/,
  },
  items: { runs: strange('many-tools'), code: 'E_TOO_MANY', message: /more than 10000 capabilities/ },
  pages: { runs: strange('many-pages'), code: 'E_TOO_MANY', message: /more than 1000 pages of tools\/list/ },
  cursor: {
    runs: strange('same-cursor'),
    code: 'E_CURSOR_LOOP',
    message: /same nextCursor of tools\/list twice/,
  },
  start: {
    runs: strange('never-begins'),
    code: 'E_TIMEOUT',
    message: /did not answer initialize within 3 s/,
    timeout: 3,
  },
  list: {
    runs: strange('never-lists'),
    code: 'E_LIST',
    message: /did not answer tools\/list within 3 s/,
    timeout: 3,
  },
  'one-line': {
    runs: strange('floods-without-end'),
    code: 'E_TOO_LARGE',
    message: /a line of more than 16 MiB|all servers together/,
  },
  lines: { runs: strange('floods-lines'), code: 'E_TOO_LARGE', message: /more than 256 MiB/ },
  messages: { runs: strange('talks-much'), code: 'E_PROTOCOL', message: /more than 100000 messages/ },
  requests: { runs: strange('asks-much'), code: 'E_PROTOCOL', message: /more than 1000 requests/ },
  loud: {
    runs: strange('dies-loudly'),
    code: 'E_SERVER_EXIT',
    message: /exited with code 3.*fatal: no licence file/,
  },
};
const BESIDE: Record<string, string[]> = {
  good: strange('good'),
  slow: strange('late', '300'),
  noisy: strange('says-much', '20000000'),
  stderr: strange('floods-stderr'),
};

describe('servers that go over a bound, beside others that do not', () => {
  let project: Project;
  let lock: string;

  beforeAll(async () => {
    const keys = [...Object.keys(OVER), ...Object.keys(BESIDE)];
    project = new Project(new Map(keys.map((key) => [key, { runs: strange('good') }])));
    const { ended } = await project.run('lock');
    expect(ended.code).toBe(0);
    lock = project.read('agentgate.lock');
    const servers = new Map<string, ServerOfProject>();
    for (const [key, { runs, timeout }] of Object.entries(OVER))
      servers.set(key, { runs, ...(timeout === undefined ? {} : { timeout }) });
    for (const [key, runs] of Object.entries(BESIDE)) servers.set(key, { runs });
    project.declare(servers);
  });
  afterAll(() => project.remove());

  it.each<Entry>(['ci', 'lock', 'action'])(
    '%s names each bound, leaves the others alone and stays small',
    async (entry) => {
      const { ended, report } = await project.run(entry);
      expect(ended.code).toBe(2);
      for (const [key, { code, message }] of Object.entries(OVER)) {
        const server = report.servers.find((one) => one.key === key);
        expect([key, server?.status, server?.error?.code]).toEqual([key, 'unchecked', code]);
        expect(server?.error?.message).toMatch(message);
        expect(server?.error?.stderr?.length ?? 0).toBeLessThanOrEqual(16 * 1024);
      }
      for (const key of Object.keys(BESIDE)) {
        const server = report.servers.find((one) => one.key === key);
        expect([key, server?.status, server?.error]).toEqual([key, 'match', undefined]);
        expect([server?.tools, server?.prompts, server?.resources]).toEqual([3, 2, 1]);
      }
      expect(report.changes).toEqual([]);
      // What could not be checked keeps its entry.
      expect(project.read('agentgate.lock')).toBe(lock);
      expect(ended.peakMiB).toBeLessThan(512);
      if (process.platform === 'linux') expect(ended.peakMiB).toBeGreaterThan(10);
    },
  );
});

describe('many servers that send all they may at once', () => {
  it.each(['huge-pages', 'huge-trees'])(
    '%s: memory is bounded, and a small neighbour is checked',
    async (mode) => {
      const flooding = Array.from({ length: 6 }, (_, i) => `f${i}`);
      const all = [...flooding, 'good'];
      const project = new Project(new Map(all.map((key) => [key, { runs: strange('good') }])));
      try {
        expect((await project.run('lock', { isolation: 'none', concurrency: 7 })).ended.code).toBe(0);
        const servers = new Map<string, ServerOfProject>(
          flooding.map((key) => [key, { runs: strange(mode, '3') }]),
        );
        project.declare(servers.set('good', { runs: strange('late', '1500') }));
        const { ended, report } = await project.run('ci', { isolation: 'none', concurrency: 7 });
        expect(ended.code).toBe(2);
        expect(report.servers.find(({ key }) => key === 'good')?.status).toBe('match');
        expect(report.servers.some(({ error }) => error?.code === 'E_TOO_LARGE')).toBe(true);
        expect(ended.peakMiB).toBeLessThan(512);
      } finally {
        project.remove();
      }
    },
  );
});

describe.skipIf(process.platform !== 'linux')('a lock at its limit', () => {
  // All commands and formats, and other floods, are in `npm run soak -- memory`.
  it('is pinned again with other texts, and its changes written out, without being held twice', async () => {
    const flood = { mode: 'huge-plain', pages: 4, servers: 1 };
    const runs = await memoryRuns(flood, ['lock, other texts']);
    expect(runs.map(({ what, code }) => [what, code])).toEqual([
      ['lock, first', 0],
      ['lock, other texts', 0],
    ]);
    for (const { what, peakMiB, lockBytes } of runs) {
      expect(lockBytes, what).toBeGreaterThan(60_000_000);
      expect(peakMiB, what).toBeLessThan(LIMIT_MIB);
      expect(peakMiB, what).toBeGreaterThan(60);
    }
  }, 180_000);
});

describe('fetching', () => {
  it('that does not end is limited apart from starting, by the policy; its neighbours are checked', async () => {
    const registry = createServer(() => undefined);
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const beside = new Map<string, ServerOfProject>([
      ['good', { runs: strange('good') }],
      ['late', { runs: strange('late', '300') }],
    ]);
    const project = new Project(beside);
    try {
      expect((await project.run('lock')).ended.code).toBe(0);
      project.declare(
        new Map([
          ...beside,
          [
            'fetched',
            { runs: [], launch: { command: 'npx', args: ['-y', 'never-there@1.0.0'] }, installTimeout: 2 },
          ],
        ]),
      );
      const { ended, report } = await project.run('ci', {
        env: {
          npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
          npm_config_cache: `${project.folder}/npm`,
        },
      });
      expect(ended.code).toBe(2);
      expect(report.servers.map(({ key, status }) => [key, status]).sort()).toEqual([
        ['fetched', 'unchecked'],
        ['good', 'match'],
        ['late', 'match'],
      ]);
      const fetched = report.servers.find(({ key }) => key === 'fetched');
      expect(fetched?.error).toMatchObject({
        code: 'E_INSTALL',
        message: expect.stringMatching(
          /could not be fetched within 2 s; .*"install-timeout" in agentgate\.yml/,
        ),
      });
    } finally {
      registry.closeAllConnections();
      registry.close();
      project.remove();
    }
  });
});
