import { expect, test } from 'vitest';
import { withAdvice } from '../../src/advice.ts';

test('a next step is added once', () => {
  const error = (code: string, message: string) => withAdvice({ code, message }).message;
  expect(error('E_NO_NAME', 'Server a, tool "#1": cannot be pinned, its /name is missing.')).toBe(
    'Server a, tool "#1": cannot be pinned, its /name is missing; this is a fault of the server: tell its author, use another release, or skip it with a reason in agentgate.yml',
  );
  const said =
    'authorization required (HTTP 401): give the server an "Authorization" header in its config entry';
  expect(error('E_AUTH', said)).toBe(said);
  expect(error('E_SERVER_EXIT', 'server exited with code 1; its last words: no key')).toBe(
    'server exited with code 1; its last words: no key; start its command by hand to see why, or skip it with a reason in agentgate.yml',
  );
});

test('a server that cannot list its data is told from one that cannot list its tools', () => {
  const said = (method: string): string =>
    withAdvice({
      code: 'E_LIST',
      message: `server answered ${method} with error -32603: no such host; its last words: no database`,
    }).message;
  expect(said('resources/list')).toContain(
    'no database; if what it lists is data that is not here, set resources: ignore',
  );
  for (const method of ['tools/list', 'resources/templates/list'])
    expect(said(method)).not.toContain('resources: ignore');
});

test('a package whose dependencies moved on is told from a server that lacks something', () => {
  const said = (words: string, type?: 'pypi' | 'npm' | 'local'): string =>
    withAdvice(
      { code: 'E_SERVER_EXIT', message: `server exited with code 1; its last words: ${words}` },
      type,
    ).message;
  const gone = "AttributeError: 'Kit' object has no attribute 'serve'";
  expect(said(gone, 'pypi')).toContain(
    'has probably moved on since this release: use a newer release, hold that',
  );
  expect(said("Cannot find package 'kit'", 'npm')).toContain('use a newer release, or skip it');
  for (const other of [said(gone, 'local'), said(gone), said('no key', 'pypi')])
    expect(other).toContain('start its command by hand');
});
