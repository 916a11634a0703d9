import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertTrusted, readEvent } from '../../src/action/event.ts';
import {
  type Event,
  mergeGroupEvent,
  plainEvent,
  pullRequestEvent,
  workflowRunEvent,
} from '../support/github/events.ts';

const HEAD = '1'.repeat(40);
const BASE = '2'.repeat(40);
const folder = mkdtempSync(join(tmpdir(), 'agentgate-event-'));

function environment(event: { name: string; payload: unknown }, text?: string): NodeJS.ProcessEnv {
  const path = join(folder, `${event.name}.json`);
  writeFileSync(path, text ?? JSON.stringify(event.payload));
  return {
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: path,
    GITHUB_REPOSITORY: 'acme/app',
    GITHUB_SERVER_URL: 'https://ghe.example/',
    GITHUB_RUN_ID: '7',
    GITHUB_WORKSPACE: folder,
  };
}
const read = (event: Event) => readEvent(environment(event));
const pull = (from: 'same' | 'fork' | 'deleted', name = 'pull_request') =>
  read(pullRequestEvent({ number: 3, head: HEAD, base: BASE, from, name }));

describe('readEvent', () => {
  it('reads a pull request', () => {
    expect(pull('same')).toMatchObject({
      name: 'pull_request',
      repository: 'acme/app',
      runUrl: 'https://ghe.example/acme/app/actions/runs/7',
      pullRequest: { number: 3, head: { sha: HEAD }, base: { sha: BASE }, fork: false },
    });
  });

  it('takes another repository for a fork, and a deleted one too', () => {
    expect(pull('fork').pullRequest?.fork).toBe(true);
    expect(pull('deleted').pullRequest?.fork).toBe(true);
  });

  it('compares repositories without case, as GitHub does', () => {
    const env = environment(pullRequestEvent({ number: 3, head: HEAD, base: BASE }));
    expect(readEvent({ ...env, GITHUB_REPOSITORY: 'Acme/APP' }).pullRequest?.fork).toBe(false);
  });

  it('reads a merge group', () => {
    const event = read(mergeGroupEvent(HEAD, BASE));
    expect(event.mergeGroup).toEqual({ headSha: HEAD, baseSha: BASE });
    expect(event.pullRequest).toBeUndefined();
  });

  it('reads a finished run', () => {
    expect(read(workflowRunEvent({ headSha: HEAD, from: 'fork' })).workflowRun).toMatchObject({
      headSha: HEAD,
      headRepository: 'mallory/app',
      fork: true,
    });
    expect(read(workflowRunEvent({ headSha: HEAD, from: 'deleted' })).workflowRun).toMatchObject({
      headRepository: null,
      fork: true,
    });
  });

  it.each(['push', 'schedule', 'workflow_dispatch'])('has no pull request under %s', (name) => {
    expect(read(plainEvent(name))).toMatchObject({ name, pullRequest: undefined });
  });

  it('reads nothing where there is no runner', () => {
    expect(readEvent({})).toMatchObject({ name: '', repository: '', pullRequest: undefined });
  });

  it.each([
    ['not JSON', '{"number":'],
    ['a list', '[]'],
    ['no pull request', '{}'],
    ['a number that is text', '{"pull_request":{"number":"1"}}'],
    ['a number below 1', '{"pull_request":{"number":0}}'],
    [
      'a commit that is an option',
      `{"pull_request":{"number":1,"head":{"sha":"--upload-pack=x"},"base":{"sha":"${BASE}"}}}`,
    ],
  ])('refuses a payload that is %s', (_, text) => {
    const env = environment({ name: 'pull_request', payload: {} }, text);
    expect(() => readEvent(env)).toThrow(expect.objectContaining({ code: 'E_EVENT' }));
  });

  it('refuses a payload file that is missing', () => {
    const env = { GITHUB_EVENT_NAME: 'push', GITHUB_EVENT_PATH: join(folder, 'none.json') };
    expect(() => readEvent(env)).toThrow(expect.objectContaining({ code: 'E_EVENT' }));
  });

  it('refuses a repository that is a path', () => {
    const env = { ...environment(plainEvent('push')), GITHUB_REPOSITORY: '../../x' };
    expect(() => readEvent(env)).toThrow(expect.objectContaining({ code: 'E_EVENT' }));
  });
});

describe('assertTrusted', () => {
  const refused = expect.objectContaining({
    code: 'E_UNTRUSTED',
    message: expect.stringMatching(/pull_request event.*mode: comment.*allow-untrusted-code: true/),
  });

  it.each(['fork', 'deleted'] as const)('refuses pull_request_target of a %s repository', (from) => {
    expect(() => assertTrusted(pull(from, 'pull_request_target'), false)).toThrow(refused);
    expect(() => assertTrusted(pull(from, 'pull_request_target'), true)).not.toThrow();
  });

  it.each(['fork', 'deleted'] as const)('refuses workflow_run of a %s repository', (from) => {
    const event = read(workflowRunEvent({ headSha: HEAD, from }));
    expect(() => assertTrusted(event, false)).toThrow(refused);
    expect(() => assertTrusted(event, true)).not.toThrow();
  });

  it.each(['fork', 'deleted', 'same'] as const)('lets pull_request of a %s repository run', (from) => {
    expect(() => assertTrusted(pull(from), false)).not.toThrow();
  });

  it('lets code of the repository itself run everywhere', () => {
    expect(() => assertTrusted(pull('same', 'pull_request_target'), false)).not.toThrow();
    expect(() => assertTrusted(read(workflowRunEvent({ headSha: HEAD })), false)).not.toThrow();
    expect(() => assertTrusted(read(plainEvent('push')), false)).not.toThrow();
  });
});
