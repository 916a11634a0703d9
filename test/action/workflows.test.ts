import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { actionlint } from '../support/actionlint.ts';

interface Step {
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
}
interface Job {
  permissions?: unknown;
  'timeout-minutes'?: number;
  steps: Step[];
}
interface Workflow {
  on: unknown;
  permissions?: unknown;
  concurrency?: unknown;
  jobs: Record<string, Job>;
}

const root = resolve(import.meta.dirname, '../..');
const ours = '.github/workflows';
const files = [ours, 'examples/workflows'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const ourFiles = files.filter((path) => path.startsWith(ours));
const action = parse(read('action.yml')) as { inputs: object; outputs: object };

describe('the workflows', () => {
  it('are valid for actionlint', () => {
    expect(actionlint(Object.fromEntries(files.map((path) => [path, read(path)])))).toEqual([]);
  });

  it('would not be with an error in them', () => {
    const broken = read(`${ours}/ci.yml`).replace('runs-on: ubuntu-latest', 'runs_on: ubuntu-latest');
    expect(actionlint({ 'broken.yml': broken }).length).toBeGreaterThan(0);
  });

  it.each(ourFiles)('%s pins every action by commit, and says which release that is', (path) => {
    const uses = read(path).match(/uses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses)
      expect(line).toMatch(/^uses: (?:\.\/|[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/);
  });

  it.each(ourFiles)('%s has no rights but those of its jobs, and ends', (path) => {
    const workflow = parse(read(path)) as Workflow;
    expect(workflow.permissions).toEqual({});
    expect(workflow.concurrency).toBeDefined();
    for (const job of Object.values(workflow.jobs)) {
      expect(job.permissions).toBeDefined();
      expect(job['timeout-minutes']).toBeLessThanOrEqual(30);
    }
  });

  it.each(files)('%s leaves no token in the checkout and no expression in a script', (path) => {
    const { jobs } = parse(read(path)) as Workflow;
    for (const step of Object.values(jobs).flatMap((job) => job.steps)) {
      if (step.uses?.startsWith('actions/checkout@')) expect(step.with?.['persist-credentials']).toBe(false);
      expect(step.run ?? '').not.toContain('${{');
    }
  });

  it.each(files)('%s uses inputs and outputs that the action has', (path) => {
    const { jobs } = parse(read(path)) as Workflow;
    for (const step of Object.values(jobs).flatMap((job) => job.steps))
      if (step.uses === './' || step.uses?.startsWith('agentgate/action@'))
        for (const input of Object.keys(step.with ?? {})) expect(action.inputs).toHaveProperty([input]);
    for (const [, output] of read(path).matchAll(/steps\.agentgate\.outputs\.([\w-]+)/g))
      expect(action.outputs).toHaveProperty([String(output)]);
  });

  it('report a check in the merge queue too, or the queue waits for ever', () => {
    for (const path of ['ci', 'dist-check', 'self-test'])
      expect((parse(read(`${ours}/${path}.yml`)) as Workflow).on).toHaveProperty('merge_group');
    expect((parse(read('examples/workflows/agentgate.yml')) as Workflow).on).toContain('merge_group');
  });
});
