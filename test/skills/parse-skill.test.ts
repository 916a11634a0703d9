import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSkill } from '../../src/config/parse-skill.ts';
import { thrown } from '../lock/support.ts';

describe('a SKILL.md', () => {
  test('front matter and body, apart', () => {
    const text = '---\nname: pdf\nmetadata:\n  version: "1.0"\n---\n\n# PDF\n';
    expect(parseSkill(text, 'x/SKILL.md')).toEqual({
      head: '---\nname: pdf\nmetadata:\n  version: "1.0"\n---\n',
      body: '\n# PDF\n',
      frontmatter: { name: 'pdf', metadata: { version: '1.0' } },
    });
  });

  test.each([
    ['no front matter', '# PDF\n---\nname: x\n---\n', {}],
    ['empty front matter', '---\n---\nbody', {}],
    ['CRLF', '---\r\nname: pdf\r\n---\r\nbody\r\n', { name: 'pdf' }],
    ['a BOM', '\uFEFF---\nname: pdf\n---\nbody', { name: 'pdf' }],
    ['spaces behind the fences', '---  \nname: pdf\n--- \nbody', { name: 'pdf' }],
    ['no line feed at the end', '---\nname: pdf\n---', { name: 'pdf' }],
    ['a fence inside of the body', '---\nname: pdf\n---\na\n---\nb\n', { name: 'pdf' }],
  ])('%s: head and body are the text', (_, text, frontmatter) => {
    const skill = parseSkill(text, 'SKILL.md');
    expect(skill.head + skill.body).toBe(text);
    expect(skill.frontmatter).toEqual(frontmatter);
  });

  test('names that objects have by themselves are names', () => {
    const { frontmatter } = parseSkill('---\n__proto__: 1\nconstructor: 2\n---\n', 'SKILL.md');
    expect(Object.entries(frontmatter)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ]);
  });

  test.each([
    ['a repeated key', '---\nname: a\nname: b\n---\n', 3, /twice/],
    ['an alias', '---\na: &x [1]\nb: *x\n---\n', 3, /alias/],
    ['broken YAML', '---\nname: "open\nb: 1\n---\n', undefined, /not YAML/],
    ['a list', '---\n- a\n---\n', 2, /key: value/],
    ['an open end', '---\nname: a\n', 1, /does not end/],
  ])('%s is refused with its line', (_, text, line, message) => {
    const error = thrown(() => parseSkill(text, 'a/SKILL.md'));
    expect(error).toMatchObject({ code: 'E_SKILL_YAML', place: { file: 'a/SKILL.md' } });
    expect(error.message).toMatch(message);
    if (line !== undefined) expect(error.place.line).toBe(line);
  });

  test('no text is lost, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('---', '\n', '\r\n', 'a: b', ' ', '\uFEFF', '# x')), (parts) => {
        const text = parts.join('');
        try {
          const { head, body } = parseSkill(text, 'SKILL.md');
          expect(head + body).toBe(text);
        } catch (error) {
          expect(error).toMatchObject({ code: 'E_SKILL_YAML' });
        }
      }),
    );
  });
});
