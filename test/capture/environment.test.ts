import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  isForbiddenVariable,
  type ServerEnvironmentInput,
  serverEnvironment,
} from '../../src/capture/environment.ts';
import { packageCaches } from '../../src/capture/package-caches.ts';
import { AgentGateError } from '../../src/util/errors.ts';

const TOKEN = 'ghs_0123456789abcdefghij';

function input(changes: Partial<ServerEnvironmentInput> = {}): ServerEnvironmentInput {
  return {
    server: 'files',
    job: {
      PATH: '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      HOME: '/home/runner',
      HTTPS_PROXY: 'http://proxy:3128',
      RUNNER_TRACKING_ID: 'github_1',
      'INPUT_GITHUB-TOKEN': TOKEN,
      ACTIONS_RUNTIME_TOKEN: 'runtime-token-of-the-job',
      GITHUB_TOKEN: TOKEN,
      GITHUB_ENV: '/tmp/env',
      AWS_SECRET_ACCESS_KEY: 'secret',
      NPM_TOKEN: 'npm-token',
    },
    folders: { home: '/p/home', tmpdir: '/p/tmp' },
    caches: new Map([['npm_config_cache', '/home/runner/.npm']]),
    declared: new Map(),
    passEnv: [],
    home: 'private',
    args: [],
    ...changes,
  };
}

function code(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    return error instanceof AgentGateError ? error.code : String(error);
  }
  return undefined;
}

describe.skipIf(process.platform === 'win32')('environment of a server', () => {
  it('holds the allow-list, the private folders and the caches, and nothing else', () => {
    expect(Object.fromEntries(serverEnvironment(input()))).toEqual({
      PATH: '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      HTTPS_PROXY: 'http://proxy:3128',
      RUNNER_TRACKING_ID: 'github_1',
      HOME: '/p/home',
      TMPDIR: '/p/tmp',
      TMP: '/p/tmp',
      TEMP: '/p/tmp',
      npm_config_cache: '/home/runner/.npm',
    });
  });

  it('adds what the config declares and what the policy passes on', () => {
    const env = serverEnvironment(
      input({
        declared: new Map([
          ['A', 'b'],
          ['PATH', '/x'],
        ]),
        passEnv: ['NPM_TOKEN', 'NOT_SET'],
      }),
    );
    expect([env.get('A'), env.get('PATH'), env.get('NPM_TOKEN'), env.has('NOT_SET')]).toEqual([
      'b',
      '/x',
      'npm-token',
      false,
    ]);
  });

  it('gives the real home when the policy says so, but never the temporary folder', () => {
    const env = serverEnvironment(input({ home: 'inherit' }));
    expect([env.get('HOME'), env.get('TMPDIR')]).toEqual(['/home/runner', '/p/tmp']);
  });

  it.each([
    'INPUT_X',
    'input_github-token',
    'ACTIONS_RUNTIME_TOKEN',
    'GITHUB_TOKEN',
    'GITHUB_ENV',
    'GITHUB_PATH',
    'GITHUB_OUTPUT',
    'GITHUB_STATE',
    'GITHUB_STEP_SUMMARY',
  ])('refuses %s, by pass-env and by the config', (name) => {
    expect(isForbiddenVariable(name)).toBe(true);
    expect(code(() => serverEnvironment(input({ passEnv: [name] })))).toBe('E_FORBIDDEN_VARIABLE');
    const own = code(() => serverEnvironment(input({ declared: new Map([[name, 'x']]) })));
    expect(own).toBe(name === 'GITHUB_TOKEN' ? undefined : 'E_FORBIDDEN_VARIABLE');
  });

  it("gives a server its own GITHUB_TOKEN, and never the job's", () => {
    const own = serverEnvironment(input({ declared: new Map([['GITHUB_TOKEN', 'placeholder']]) }));
    expect(own.get('GITHUB_TOKEN')).toBe('placeholder');
    for (const token of [TOKEN, 'short']) {
      const job = { ...input().job, GITHUB_TOKEN: token };
      const declared = new Map([['GITHUB_TOKEN', token]]);
      expect(code(() => serverEnvironment(input({ job, declared })))).toBe('E_FORBIDDEN_VARIABLE');
      expect(code(() => serverEnvironment(input({ job, passEnv: ['GITHUB_TOKEN'] })))).toBe(
        'E_FORBIDDEN_VARIABLE',
      );
    }
    const job = { ...input().job, GITHUB_TOKEN: undefined, 'INPUT_GITHUB-TOKEN': TOKEN };
    const declared = new Map([['GITHUB_TOKEN', TOKEN]]);
    expect(code(() => serverEnvironment(input({ job, declared })))).toBe('E_FORBIDDEN_VARIABLE');
  });

  it("refuses the job's token under another name, in an argument, and inside a longer value", () => {
    expect(code(() => serverEnvironment(input({ declared: new Map([['GH', `Bearer ${TOKEN}`]]) })))).toBe(
      'E_FORBIDDEN_VARIABLE',
    );
    expect(code(() => serverEnvironment(input({ args: ['--token', TOKEN] })))).toBe('E_FORBIDDEN_VARIABLE');
    const job = { ...input().job, COPY: TOKEN };
    expect(code(() => serverEnvironment(input({ job, passEnv: ['COPY'] })))).toBe('E_FORBIDDEN_VARIABLE');
  });

  it('never puts a value into its messages', () => {
    try {
      serverEnvironment(input({ args: [TOKEN] }));
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain(TOKEN);
    }
  });

  it.each([
    ['', 'x'],
    ['A=B', 'x'],
    ['A', 'x\0y'],
  ])('refuses the variable %j', (name, value) => {
    expect(code(() => serverEnvironment(input({ declared: new Map([[name, value]]) })))).toBe(
      'E_VARIABLE_NAME',
    );
  });
});

describe('package caches', () => {
  it('come from their own variables, else from the default places', () => {
    const caches = packageCaches({ HOME: '/h', UV_CACHE_DIR: '/uv' }, 'linux');
    expect(caches.find((cache) => cache.manager === 'npm')?.path).toBe(join('/h', '.npm'));
    expect(caches.find((cache) => cache.variable === 'UV_CACHE_DIR')?.path).toBe('/uv');
    expect(packageCaches({}, 'linux')).toEqual([]);
  });
});
