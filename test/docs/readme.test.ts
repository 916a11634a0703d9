import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { STARTER_WORKFLOW } from '../../src/cli/starter.ts';
import { parsePolicy } from '../../src/config/policy-parse.ts';
import { actionlint } from '../support/actionlint.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const fences = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, info, text]) => ({
  info,
  text: text ?? '',
}));
const yaml = fences.filter(({ info }) => info === 'yaml').map(({ text }) => text);

/** GitHub's anchors of a page: lower case, no punctuation, hyphens for spaces. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const pages = ['.', 'docs', 'docs/rules'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

describe('links', () => {
  test.each(pages)('of %s lead somewhere', (page) => {
    // Examples in rule pages are code, not links.
    const text = read(page).replace(/^```[\s\S]*?^```$/gm, '');
    const links = [
      ...text.matchAll(/\]\(([^)\s]+)\)/g),
      ...text.matchAll(/(?:src|srcset|href)="([^"]+)"/g),
    ].map(([, link]) => link ?? '');
    for (const link of links.filter((one) => !/^[a-z]+:/.test(one))) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? join(root, page) : join(root, dirname(page), path);
      expect(existsSync(target), `${page}: ${link}`).toBe(true);
      if (anchor !== undefined) expect(anchors(readFileSync(target, 'utf8')), link).toContain(anchor);
    }
  });
});

describe('the README', () => {
  test('has the workflow that init writes', () => {
    expect(yaml[0]).toBe(STARTER_WORKFLOW);
    expect(read('examples/workflows/agentgate.yml')).toBe(STARTER_WORKFLOW);
  });

  test('has workflows and steps that actionlint takes', () => {
    const steps = yaml.find((text) => text.includes('upload-sarif'));
    expect(steps).toBeDefined();
    const job = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n${(steps ?? '').replace(/^(?=.)/gm, '      ')}`;
    expect(actionlint({ 'start.yml': STARTER_WORKFLOW, 'sarif.yml': job })).toEqual([]);
    const whole = parse(read('examples/workflows/agentgate-sarif.yml')) as {
      jobs: { agentgate: { steps: unknown[] } };
    };
    expect(whole.jobs.agentgate.steps.slice(1)).toEqual(parse(steps ?? ''));
  });

  test('has a policy that is read', () => {
    const text = yaml.find((one) => one.startsWith('version: 1'));
    const policy = parsePolicy(text ?? '', 'agentgate.yml');
    expect([...policy.servers.keys()]).toEqual(['github', 'search', 'legacy']);
    expect(policy.suppress).toHaveLength(1);
  });

  test('advises the line of .gitattributes that this repository has', () => {
    const advice = fences.find(({ info }) => info === 'gitattributes')?.text ?? '-';
    expect(read('.gitattributes')).toContain(advice);
  });
});
