import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { deriveCommentId, readInputs, unknownInputs, variable } from '../../src/action/inputs.ts';
import { OUTPUTS, SETTINGS } from '../../src/settings.ts';
import { AgentGateError } from '../../src/util/errors.ts';

interface ActionFile {
  inputs: Record<string, { description: string; required: boolean; default: string }>;
  outputs: Record<string, { description: string }>;
  runs: { using: string; main: string };
}

const action = parse(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8')) as ActionFile;
const inputs = (given: Record<string, string> = {}): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [variable(name), value]));

function problem(given: Record<string, string>): AgentGateError {
  try {
    readInputs(inputs(given));
  } catch (error) {
    if (error instanceof AgentGateError) return error;
  }
  throw new Error('no error');
}

describe('action.yml', () => {
  it('has the inputs and defaults of the settings table, in its order', () => {
    const settings = SETTINGS.filter(({ input }) => input !== undefined);
    expect(Object.keys(action.inputs)).toEqual(settings.map(({ input }) => input));
    expect(Object.values(action.inputs).map((input) => input.default)).toEqual(
      settings.map((setting) => setting.default),
    );
  });

  it('has the outputs of the table', () => {
    expect(Object.keys(action.outputs)).toEqual(OUTPUTS.map(({ name }) => name));
  });

  it('describes everything, and requires nothing', () => {
    for (const { description, required } of Object.values(action.inputs)) {
      expect(description.length).toBeGreaterThan(20);
      expect(required).toBe(false);
    }
    expect(action.runs).toEqual({ using: 'node24', main: 'dist/index.js' });
  });
});

describe('readInputs', () => {
  it('reads the defaults of action.yml', () => {
    const defaults = Object.fromEntries(
      Object.entries(action.inputs).map(([name, input]) => [name, input.default]),
    );
    expect(readInputs(inputs(defaults))).toEqual({
      config: [],
      lockfile: 'agentgate.lock',
      workingDirectory: '.',
      servers: [],
      allClients: false,
      skills: undefined,
      failOn: undefined,
      timeoutMs: 60_000,
      concurrency: undefined,
      isolation: 'auto',
      comment: 'auto',
      commentId: 'agentgate.lock',
      mode: 'check',
      report: undefined,
      sarif: undefined,
      githubToken: '${{ github.token }}',
      allowUntrustedCode: false,
    });
  });

  it('takes an empty environment for the defaults', () => {
    expect(readInputs({})).toMatchObject({ lockfile: 'agentgate.lock', mode: 'check', timeoutMs: 60_000 });
  });

  it('splits lists at line ends and drops what is empty', () => {
    expect(readInputs(inputs({ config: ' a.json \r\n\n  **/b.json\n' })).config).toEqual([
      'a.json',
      '**/b.json',
    ]);
  });

  it.each([
    ['all-clients', 'yes', 'true or false'],
    ['allow-untrusted-code', '1', 'true or false'],
    ['fail-on', 'Any', 'one of any, critical, high, medium, low, never'],
    ['isolation', 'on', 'one of auto, strict, none'],
    ['comment', 'true', 'one of auto, always, never'],
    ['mode', 'lock', 'one of check, comment'],
    ['timeout', '0', 'a whole number of seconds from 1 to 86400'],
    ['timeout', '1.5', 'a whole number of seconds from 1 to 86400'],
    ['timeout', '60s', 'a whole number of seconds from 1 to 86400'],
    ['timeout', '0x10', 'a whole number of seconds from 1 to 86400'],
    ['concurrency', '-1', 'a whole number of servers from 1 to 1024'],
    ['concurrency', '9999999999', 'a whole number of servers from 1 to 1024'],
    ['comment-id', 'a --> b', 'at most 200 letters'],
    ['comment-id', 'a"b', 'at most 200 letters'],
    ['comment-id', 'x'.repeat(201), 'at most 200 letters'],
  ])('refuses %s: %s', (input, value, allowed) => {
    const { code, message } = problem({ [input]: value });
    expect(code).toBe('E_INPUT');
    expect(message).toContain(`input ${input} is `);
    expect(message).toContain(allowed);
  });

  it('shows a refused value on one short line', () => {
    const { message } = problem({ mode: `\n::error::x\r\u202E${'y'.repeat(500)}` });
    expect(message).not.toMatch(/[\n\r\u202E]/);
    expect(message.length).toBeLessThan(250);
  });

  it.each(['True', 'TRUE', 'true'])('takes %s for true', (value) => {
    expect(readInputs(inputs({ 'all-clients': value, skills: value }))).toMatchObject({
      allClients: true,
      skills: 'true',
    });
  });
});

describe('unknownInputs', () => {
  it('names what action.yml does not have', () => {
    expect(unknownInputs(inputs({ 'fail-on': 'any', failon: 'never', 'working-dir': 'x' }))).toEqual([
      'failon',
      'working-dir',
    ]);
    expect(unknownInputs({ PATH: '/bin', INPUT: 'x' })).toEqual([]);
  });
});

describe('deriveCommentId', () => {
  it.each([
    ['.', 'agentgate.lock', 'agentgate.lock'],
    ['./packages/api/', 'agentgate.lock', 'packages/api/agentgate.lock'],
    ['packages\\api', 'x.lock', 'packages/api/x.lock'],
    ['a', '../agentgate.lock', 'agentgate.lock'],
  ])('of %s and %s is %s', (folder, lockfile, id) => {
    expect(deriveCommentId(folder, lockfile)).toBe(id);
  });

  it('never ends the HTML comment that it stands in, and keeps paths apart', () => {
    const ids = ['a--b', 'a-->b', 'a"b', 'é', 'ü', "it's (1)"].map((folder) => deriveCommentId(folder, 'l'));
    for (const id of ids) expect(id).toMatch(/^(?!.*--)[A-Za-z0-9._/%-]+$/);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
