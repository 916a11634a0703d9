import { describe, expect, it } from 'vitest';
import type { LaunchRecord, Source } from '../../src/config/types.ts';
import { causeSeverity, findCause, raiseByCause } from '../../src/drift/cause.ts';
import { compared, type Parts, pinned } from './support.ts';

const npm = (more: Partial<Source> = {}): Source => ({
  type: 'npm',
  package: 'tool-server',
  version: '1.0.0',
  ...more,
});
const launch: LaunchRecord = { command: 'npx', args: ['-y', 'tool-server@1.0.0'], env: ['A'] };
const remote: Parts = {
  source: { type: 'remote', url: 'https://mcp.example.invalid/mcp' },
  launch: { url: 'https://mcp.example.invalid/mcp', headers: ['Authorization'] },
  transport: 'http',
};

function cause(before: Parts, after: Parts, touched?: boolean): { cause: string; text: string } {
  return findCause({
    locked: pinned(before),
    live: pinned(after),
    ...(touched !== undefined && { touched }),
  });
}

describe('why a server drifted', () => {
  it('its release was bumped', () => {
    const found = cause(
      { source: npm(), launch },
      { source: npm({ version: '1.1.0' }), launch: { ...launch, args: ['-y', 'tool-server@1.1.0'] } },
      true,
    );
    expect(found.cause).toBe('release-changed');
    expect(found.text).toContain('from 1.0.0 to 1.1.0, bumped in this pull request');
  });

  it('its release floats', () => {
    const floating = npm({ requested: 'latest' });
    const found = cause({ source: floating, launch }, { source: { ...floating, version: '1.1.0' }, launch });
    expect(found).toMatchObject({ cause: 'floating-release' });
    expect(found.text).toContain('asks for latest of npm tool-server');
    const bare: Source = { type: 'npm', package: 'tool-server', requested: '' };
    expect(cause({ source: bare, launch }, { source: bare, launch }).cause).toBe('floating-release');
  });

  it('the very same release says something else', () => {
    const found = cause({ source: npm(), launch }, { source: npm(), launch });
    expect(found.cause).toBe('same-release');
    expect(found.text).toContain('or the package was replaced');
    const kept = cause(
      { source: npm({ integrity: 'sha512-a' }), launch },
      { source: npm({ integrity: 'sha512-a' }), launch },
    );
    expect(kept.text).not.toContain('replaced');
    const replaced = cause(
      { source: npm({ integrity: 'sha512-a' }), launch },
      { source: npm({ integrity: 'sha512-b' }), launch },
    );
    expect(replaced).toMatchObject({ cause: 'same-release' });
    expect(replaced.text).toContain('its integrity differs');
  });

  it('the same tag of an image says something else', () => {
    const image = (more: Partial<Source>): Source =>
      ({
        type: 'local',
        kind: 'oci',
        package: 'boxed',
        version: '1',
        requested: '1',
        mutable: true,
        ...more,
      }) as Source;
    const of = (before: Partial<Source>, now: Partial<Source>): string =>
      cause({ source: image(before), launch }, { source: image(now), launch }).text;
    expect(of({}, {})).toContain('the tag was moved to another image, or what the server reads');
    expect(of({ integrity: 'sha256:a' }, { integrity: 'sha256:a' })).not.toContain('moved');
    expect(of({ integrity: 'sha256:a' }, { integrity: 'sha256:b' })).toContain(
      'was moved: it is another image',
    );
    expect(
      of({ version: 'sha256:a', mutable: false }, { version: 'sha256:a', mutable: false }),
    ).not.toContain('tag');
  });

  it('something else stands behind the name', () => {
    const found = cause({ source: npm(), launch }, { source: npm({ package: 'other' }), launch }, true);
    expect(found.cause).toBe('launch-changed');
    expect(found.text).toContain('npm tool-server before, npm other now, edited in this pull request');
  });

  it('its arguments changed, alone or with its release', () => {
    const other = { ...launch, args: ['-y', 'tool-server@1.0.0', '--all'] };
    expect(cause({ source: npm(), launch }, { source: npm(), launch: other })).toEqual({
      cause: 'launch-changed',
      text: 'The config now has other arguments.',
    });
    const both = cause({ source: npm(), launch }, { source: npm({ version: '2.0.0' }), launch: other });
    expect(both.cause).toBe('release-changed');
    expect(both.text).toContain('also has other arguments');
  });

  it('it was given other credentials', () => {
    const found = cause({ source: npm(), launch }, { source: npm(), launch: { ...launch, env: ['A', 'B'] } });
    expect(found.cause).toBe('credentials-changed');
    const headers = cause(remote, { ...remote, launch: { ...remote.launch, headers: [] } });
    expect(headers.cause).toBe('credentials-changed');
  });

  it('it was asked in another protocol', () => {
    const found = cause(
      { source: npm(), launch, protocolVersion: '2025-06-18' },
      { source: npm(), launch, protocolVersion: '2026-07-28' },
    );
    expect(found).toMatchObject({ cause: 'protocol-changed' });
  });

  it('the remote server changed', () => {
    expect(cause(remote, remote).cause).toBe('remote-changed');
  });

  it('nothing tells why', () => {
    const local: Source = { type: 'local', path: 'server.js' };
    expect(cause({ source: local, launch }, { source: local, launch }).cause).toBe('unknown');
    expect(findCause({ locked: { extra: {} }, live: { extra: {} } }).cause).toBe('unknown');
  });
});

describe('the weight of a cause', () => {
  it('is high for the same release alone, and raises changes but not their fields', () => {
    expect([causeSeverity('same-release'), causeSeverity('release-changed')]).toEqual(['high', undefined]);
    const { changes } = compared({ tools: [{ name: 'a' }] }, { tools: [{ name: 'a', title: 'A' }] });
    const raised = raiseByCause(changes, 'same-release');
    expect(raised).toMatchObject([{ severity: 'high', fields: [{ severity: 'low' }] }]);
    expect(raiseByCause(changes, 'unknown')).toEqual(changes);
  });
});
