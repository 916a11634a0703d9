import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as bundle from '../../../src/gate/bundle.ts';
import type * as published from '../../../src/gate/published.d.ts';
import { ROOT } from '../../cli/support.ts';
import { NODE } from '../../support/own-node.ts';
import { adapterProject } from './gate-project.ts';

// The compiler holds the published types against the source.
const source: typeof published = bundle;
const decision = (from: published.GateDecision): import('../../../src/gate/decide.ts').GateDecision => from;

it('publishes types for all that the bundle exports', () => {
  const text = readFileSync(join(ROOT, 'src/gate/published.d.ts'), 'utf8');
  const declared = [...text.matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
  expect([...declared, 'gateMain'].sort()).toEqual(Object.keys(source).sort());
  expect(decision).toBeTypeOf('function');
});

it('has a subpath and an optional peer for each framework', () => {
  const pack = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
    peerDependencies: Record<string, string>;
    peerDependenciesMeta: Record<string, { optional: boolean }>;
  };
  for (const name of ['adk', 'ai', 'langchain', 'openai']) {
    expect(pack.exports[`./${name}`]).toEqual({
      types: `./dist/gate/${name}.d.ts`,
      default: `./dist/gate/${name}.js`,
    });
    expect(existsSync(join(ROOT, `src/gate/adapters/${name}.ts`))).toBe(true);
  }
  expect(Object.keys(pack.peerDependencies)).toEqual(['@google/adk', '@openai/agents', 'ai', 'langchain']);
  for (const name of Object.keys(pack.peerDependencies))
    expect(pack.peerDependenciesMeta[name]).toEqual({ optional: true });
});

it('decides in a process that has nothing else to wait for, and lets it end', async () => {
  const { project, end } = await adapterProject();
  try {
    const script = join(project.base, 'program.ts');
    writeFileSync(
      script,
      `import { aiToolApproval, createGate } from ${JSON.stringify(join(ROOT, 'src/gate/bundle.ts'))};
       const ask = aiToolApproval(await createGate(), 'steered');
       const input = { text: 'a' };
       const tools = ['look', 'act', 'unknown'];
       const answers = tools.map(async (toolName) => await ask({ toolCall: { toolName, input } }));
       console.log(JSON.stringify(await Promise.all(answers)));`,
    );
    const { stdout } = await promisify(execFile)(NODE, [script], { cwd: project.dir, env: project.env });
    const [look, act, unknown] = JSON.parse(stdout) as unknown[];
    expect(look).toBe('approved');
    expect(act).toMatchObject({ type: 'denied', reason: expect.stringContaining('pending_approval') });
    expect(unknown).toMatchObject({ type: 'denied', reason: expect.stringContaining('E_TOOL_NOT_PINNED') });
  } finally {
    await end();
  }
});
