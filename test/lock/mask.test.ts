import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMasker, type HostPaths, maskList } from '../../src/lock/mask.ts';
import type { MaskName } from '../../src/lock/types.ts';

interface Group {
  paths: HostPaths;
  texts: { text: string; masked: string; used: string[] }[];
}
const { about: _, ...groups } = JSON.parse(
  readFileSync(new URL('../vectors/masks.json', import.meta.url), 'utf8'),
) as { about: string } & { [name: string]: Group };

describe.each(Object.entries(groups))('host paths, %s', (_name, group) => {
  const mask = createMasker((group as Group).paths);
  it.each((group as Group).texts)('$text', ({ text, masked, used }) => {
    const names = new Set<MaskName>();
    expect(mask(text, names)).toBe(masked);
    expect(maskList(names) ?? []).toEqual(used);
    // Masking what is masked changes nothing.
    expect(mask(masked)).toBe(masked);
  });
});

describe('host paths', () => {
  it.each([
    {},
    { cwd: '/' },
    { cwd: '/srv' },
    { home: '/root', tmpdir: '/tmp/' },
    { cwd: 'relative/path' },
    { cwd: '' },
    { cwd: 'C:\\' },
    { cwd: 'C:\\work' },
  ])('leaves short and relative paths alone: %j', (paths) => {
    const text = 'see /srv, /root, /tmp/, relative/path, C:\\work\\a and / there';
    expect(createMasker(paths)(text)).toBe(text);
  });

  it('prefers the working directory when two are the same folder', () => {
    expect(createMasker({ cwd: '/home/ada', home: '/home/ada' })('/home/ada/x')).toBe('${CWD}/x');
  });

  it('finds macOS spellings of the temp folder', () => {
    const mask = createMasker({ tmpdir: '/var/folders/zz/T' });
    expect(mask('/private/var/folders/zz/T/a /var/folders/zz/T/b')).toBe('${TMPDIR}/a ${TMPDIR}/b');
  });

  it('takes a path literally, not as a pattern', () => {
    const mask = createMasker({ cwd: '/home/a.b+c/[x]$&' });
    expect(mask('/home/a.b+c/[x]$&/f /home/aXb+c/[x]$&')).toBe('${CWD}/f /home/aXb+c/[x]$&');
  });

  it('masks megabytes of near misses', () => {
    const mask = createMasker({ cwd: '/a/b' });
    expect(mask(`x${'/a/b'.repeat(500_000)}`)).toHaveLength(2_000_001);
    expect(mask('/a/b '.repeat(200_000))).toBe('${CWD} '.repeat(200_000));
  });
});
