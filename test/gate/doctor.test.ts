import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { doctorCommand } from '../../src/gate/cli/doctor.ts';
import { ownersOf } from '../../src/gate/doctor/code-owners.ts';
import { type GithubApi, OWNER, REPO, startGithubApi } from '../support/github/github-api.ts';

let api: GithubApi;
const folder = mkdtempSync(join(tmpdir(), 'doctor-test-'));
beforeAll(async () => {
  api = await startGithubApi();
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.mcp.json'), '{"mcpServers":{"x":{"command":"true"}}}');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await api.close();
});
afterEach(() => {
  api.faults.splice(0);
});

const CHECKS = {
  type: 'required_status_checks',
  parameters: { required_status_checks: [{ context: 'agentgate', integration_id: 15368 }] },
};
const REVIEW = {
  type: 'pull_request',
  parameters: {
    required_approving_review_count: 1,
    dismiss_stale_reviews_on_push: true,
    require_last_push_approval: true,
    require_code_owner_review: true,
    required_reviewers: [] as object[],
  },
};
const OWNERS =
  '* @acme/all\n/agentgate.* @acme/security\n/.mcp.json @acme/security\n/.github/ @acme/security\n';

/** What GitHub answers. */
function answers(options: { rules?: unknown; protection?: unknown; owners?: string; status?: number }): void {
  const put = (path: RegExp, status: number, body: unknown) => api.faults.push({ path, status, body });
  put(/\/rules\/branches\//, options.status ?? 200, options.rules ?? []);
  put(
    /\/protection$/,
    options.status ?? (options.protection === undefined ? 404 : 200),
    options.protection ?? {},
  );
  if (options.owners !== undefined)
    put(/\/contents\/\.github\/CODEOWNERS$/, 200, {
      content: Buffer.from(options.owners).toString('base64'),
    });
  else put(/CODEOWNERS$/, 404, {});
}

async function examine(): Promise<{ code: number; states: Record<string, string>; text: string }> {
  let text = '';
  let code = -1;
  const stdout = new Writable({
    write(chunk, _, done) {
      text += String(chunk);
      done();
    },
  });
  const io = {
    stdin: process.stdin,
    stdout,
    stderr: stdout,
    env: { ...api.env, GITHUB_TOKEN: 'job-token' },
    cwd: folder,
  };
  const program = new Command('agentgate').addCommand(
    doctorCommand(io, (value) => {
      code = value;
    }),
  );
  await program.parseAsync(['doctor', '--github', '--repo', `${OWNER}/${REPO}`, '--json'], { from: 'user' });
  const { findings } = JSON.parse(text) as { findings: { setting: string; state: string }[] };
  return { code, text, states: Object.fromEntries(findings.map(({ setting, state }) => [setting, state])) };
}

describe('doctor --github', () => {
  it('finds everything set, by a ruleset with code owners', async () => {
    answers({ rules: [CHECKS, REVIEW], owners: OWNERS });
    expect(await examine()).toMatchObject({ code: 0 });
    expect(api.writes()).toEqual([]);
  });

  it('finds everything set, by branch protection', async () => {
    answers({
      protection: {
        required_status_checks: { checks: [{ context: 'ci / agentgate', app_id: 15368 }] },
        required_pull_request_reviews: {
          dismiss_stale_reviews: true,
          require_code_owner_reviews: true,
          require_last_push_approval: true,
          required_approving_review_count: 1,
        },
      },
      owners: '* @acme/all\n',
    });
    expect(await examine()).toMatchObject({ code: 0 });
  });

  it('finds everything set, by required reviewers of a ruleset', async () => {
    const reviewers = [
      { file_patterns: ['agentgate.lock', 'agentgate.yml', '.mcp.json', '.github/**'], minimum_approvals: 1 },
    ];
    const review = {
      ...REVIEW,
      parameters: { ...REVIEW.parameters, require_code_owner_review: false, required_reviewers: reviewers },
    };
    answers({ rules: [CHECKS, review] });
    expect(await examine()).toMatchObject({ code: 0 });
  });

  it('names all five when nothing is set', async () => {
    answers({});
    const { code, states } = await examine();
    expect(code).toBe(1);
    expect(new Set(Object.values(states))).toEqual(new Set(['missing']));
    expect(Object.keys(states)).toHaveLength(5);
  });

  it('wants a review of the file that the entry of the proxy leads to', async () => {
    const before = readFileSync(join(folder, '.mcp.json'), 'utf8');
    const args = ['-y', '@agentgate/agentgate', 'proxy', '--server', 'x', '--config', 'mcp-servers.json'];
    writeFileSync(join(folder, 'mcp-servers.json'), before);
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { x: { command: 'npx', args } } }));
    try {
      answers({ rules: [CHECKS, REVIEW], owners: OWNERS.replace('* @acme/all\n', '') });
      const { code, text } = await examine();
      expect(code).toBe(1);
      expect(text).toContain('No reviewer is required for mcp-servers.json:');
    } finally {
      writeFileSync(join(folder, '.mcp.json'), before);
      rmSync(join(folder, 'mcp-servers.json'));
    }
  });

  const without = (key: string, value: unknown) => ({
    ...REVIEW,
    parameters: { ...REVIEW.parameters, [key]: value },
  });
  const otherCheck = (check: object) => ({ ...CHECKS, parameters: { required_status_checks: [check] } });
  it.each<[string, object[], string]>([
    ['required-check', [otherCheck({ context: 'build', integration_id: 15368 }), REVIEW], OWNERS],
    ['check-source', [otherCheck({ context: 'agentgate' }), REVIEW], OWNERS],
    ['check-source', [otherCheck({ context: 'agentgate', integration_id: -1 }), REVIEW], OWNERS],
    ['reviewers', [CHECKS, without('require_code_owner_review', false)], OWNERS],
    ['reviewers', [CHECKS, REVIEW], OWNERS.replace('/.github/ @acme/security', '/.github/')],
    ['stale-approvals', [CHECKS, without('dismiss_stale_reviews_on_push', false)], OWNERS],
    ['last-push', [CHECKS, without('require_last_push_approval', false)], OWNERS],
    ['last-push', [CHECKS, without('required_approving_review_count', 0)], OWNERS],
  ])('names %s alone when that is missing', async (setting, rules, owners) => {
    answers({ rules, owners });
    const { code, states } = await examine();
    expect(code).toBe(1);
    const missing = Object.entries(states).filter(([, state]) => state !== 'set');
    expect(missing.map(([name]) => name)).toContain(setting);
    expect(missing.every(([name]) => name === setting || name === 'check-source')).toBe(true);
  });

  it('says unknown for what the token may not read', async () => {
    answers({ status: 403 });
    const { code, states } = await examine();
    expect(code).toBe(2);
    expect(new Set(Object.values(states))).toEqual(new Set(['unknown']));
  });
});

describe('CODEOWNERS', () => {
  it.each<[string, string, string[]]>([
    ['* @a', 'x/y', ['@a']],
    ['*.lock @a', 'deep/agentgate.lock', ['@a']],
    ['/agentgate.lock @a', 'deep/agentgate.lock', []],
    ['/.github/ @a', '.github/workflows/x.yml', ['@a']],
    ['.github @a', '.github/workflows/x.yml', ['@a']],
    ['docs/* @a', 'docs/x', ['@a']],
    ['docs/* @a', 'docs/x/y', []],
    ['**/logs @a', 'build/logs/x', ['@a']],
    ['* @a\n/agentgate.lock', 'agentgate.lock', []],
    ['* @a # comment @b', 'x', ['@a']],
    ['# * @a', 'x', []],
    ['!x @a', 'x', []],
  ])('%j gives %s to %j', (text, path, owners) => expect(ownersOf(text, path)).toEqual(owners));
});
