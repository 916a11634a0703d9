import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/util/redact.ts';

const SECRET = ['q7Zr', 'Lw+9', '/vP2', 'xK?&m é"'].join('');

describe('createRedactor', () => {
  const redact = createRedactor([SECRET]);
  const bytes = Buffer.from(SECRET, 'utf8');

  it('replaces the value itself, everywhere', () => {
    expect(redact(`a ${SECRET} b ${SECRET}.`)).toBe('a *** b ***.');
  });

  it.each([0, 1, 2, 3, 4])('replaces base64 at an offset of %i bytes, in both alphabets', (offset) => {
    const whole = Buffer.concat([Buffer.from('prefix'.slice(0, offset)), bytes, Buffer.from('tail')]);
    for (const encoding of ['base64', 'base64url'] as const) {
      const echoed = redact(`x ${whole.toString(encoding)} y`);
      expect(echoed).toContain('***');
      // What is left may hold bits of the first and last character only, never a run of the secret.
      const left = echoed.replace(/^x | y$/g, '').split('***');
      expect(left.length).toBe(2);
      expect((left[0] ?? '').length).toBeLessThanOrEqual(Math.ceil((offset * 8) / 6));
      expect((left[1] ?? '').length).toBeLessThanOrEqual(8);
    }
  });

  it('replaces hex, URL, JSON, doubly escaped JSON, ASCII JSON and HTML forms', () => {
    const ascii = JSON.stringify(SECRET).slice(1, -1).replace('é', '\\u00e9');
    for (const form of [
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      bytes.toString('hex').replace(/../g, '%$&'),
      bytes.toString('hex').toUpperCase().replace(/../g, '%$&'),
      encodeURIComponent(SECRET),
      encodeURIComponent(SECRET).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
      new URLSearchParams({ a: SECRET }).toString().slice(2),
      JSON.stringify(SECRET).slice(1, -1),
      JSON.stringify(JSON.stringify(SECRET)).slice(3, -3),
      ascii,
      SECRET.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    ])
      expect(redact(`<${form}>`)).toBe('<***>');
  });

  it('replaces a value that is split over lines, also when encoded', () => {
    expect(redact(`<${SECRET.slice(0, 6)}\r\n  ${SECRET.slice(6, 9)}\n${SECRET.slice(9)}>`)).toBe('<***>');
    const long = `${'k9Q'.repeat(10)}${SECRET}`;
    const wrapped = Buffer.from(long).toString('base64').replace(/.{8}/g, '$&\n');
    expect(createRedactor([long])(wrapped)).toMatch(/^\*\*\*.?=*\n?$/);
  });

  it('replaces the longest value first', () => {
    const both = createRedactor(['hunter22', 'hunter22-and-more']);
    expect(both('hunter22-and-more hunter22')).toBe('*** ***');
  });

  it('leaves short values and their words alone', () => {
    expect(createRedactor(['', 'on', 'dev'])('on dev')).toBe('on dev');
    expect(createRedactor(['test'])('the late start')).toBe('the late start');
    expect(createRedactor(['test'])('a test')).toBe('a ***');
  });

  it('replaces the token of a header, the password of a URL and each line of a key', () => {
    const key = ['abcdefgh12345678IJKL', 'mnopqrst87654321UVWX'];
    const parts = createRedactor(['Bearer tok-77-aa-31', 'postgres://me:s3cr3t-pw@db/x', key.join('\n')]);
    expect(parts('tok-77-aa-31 and s3cr3t-pw and mnopqrst87654321UVWX')).toBe('*** and *** and ***');
  });

  it('replaces credentials that it was not told of', () => {
    const none = createRedactor([]);
    expect(none(`x gh${'p_'}${'a1B2c3D4e5'.repeat(4)} y`)).toBe('x *** y');
    expect(none('GET https://user:pa55@example.test/x')).toBe('GET https://***@example.test/x');
    expect(none(`Authorization: Bearer ${'Ab3'.repeat(8)}`)).toBe('Authorization: Bearer ***');
    expect(none('{"password":"abc123def456"}')).toBe('{"password":"***"}');
    expect(none('/x?api_key=abc123def456&b=1')).toBe('/x?api_key=***&b=1');
  });

  it('leaves plain sentences alone', () => {
    const none = createRedactor([]);
    for (const text of [
      'token: required',
      'Basic internationalization support',
      'Set the Authorization header, or pass a token.',
      'https://example.test/@scope/pkg',
      'password is a string',
    ])
      expect(none(text)).toBe(text);
  });

  it('never lets a value of 8 or more characters through, whatever surrounds it', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 40, unit: 'binary' }).filter((v) => !/\s/.test(v)),
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (value, before, after) => {
          const clean = createRedactor([value]);
          const once = clean(`${before}${value}${after}`);
          if (!`***${before}${after}`.includes(value)) expect(once.includes(value)).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['begin lines', '-----BEGIN PRIVATE KEY-----'],
    ['token starts', 'eyJ'],
    ['dotted token starts', 'eyJaaaaaaaaaa.'],
    ['schemes', 'a://b'],
    ['colons', 'https://a:'],
    ['assignments', 'token='],
    ['bearers', 'bearer '],
    ['one letter', 'a'],
    ['blanks', ' '],
    ['prefixes', 'ghp_xoxb-sk-AKIA'],
  ])('finishes on 1 MB of %s', (_name, unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    const slow = createRedactor(['aaaaaaaaaaaaaaab', `${'a'.repeat(5000)}b`]);
    expect(slow(text).length).toBeLessThanOrEqual(text.length * 2);
  });
});
