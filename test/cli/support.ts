import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { slashed } from '../../src/util/paths.ts';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { NODE } from '../support/own-node.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
export const CLI = join(ROOT, 'src/cli/index.ts');

/** A server of test/support/servers as the launch of a config. */
export function launch(server: string, ...args: string[]): { command: string; args: string[] } {
  return { command: NODE, args: [join(ROOT, 'test/support/servers', server), ...args] };
}

export type Files = { [path: string]: string | object };

/** A repository of its own, with folders for HOME and TMPDIR beside it; gone after the test. */
export class Project {
  readonly home: string;
  readonly dir: string;
  readonly tmp: string;

  constructor(files: Files) {
    this.home = mkdtempSync(join(tmpdir(), 'cli-test-'));
    this.dir = join(this.home, 'repo');
    this.tmp = join(this.home, 'tmp');
    mkdirSync(join(this.dir, '.git'), { recursive: true });
    mkdirSync(this.tmp);
    this.write(files);
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  write(files: Files): void {
    for (const [path, content] of Object.entries(files)) {
      const absolute = join(this.dir, path);
      mkdirSync(dirname(absolute), { recursive: true });
      writeFileSync(
        absolute,
        typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
      );
    }
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(join(this.dir, path));
  }

  /** Every file of the repository, and what is left in TMPDIR. */
  files(): string[] {
    const inRepo = readdirSync(this.dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => slashed(join(entry.parentPath, entry.name).slice(this.dir.length + 1)));
    return [...inRepo, ...readdirSync(this.tmp).map((name) => `TMPDIR/${name}`)].sort();
  }

  run(args: string[], options: RunOptions = {}): Promise<Ran> {
    return runCli(args, { ...options, project: this });
  }
}

/** A {@link Project} that goes with the test. */
export function project(files: Files): Project {
  const made = new Project(files);
  onTestFinished(() => made.remove());
  return made;
}

export interface RunOptions {
  env?: { [name: string]: string };
  /** Below the repository. */
  cwd?: string;
  /** Called with what was written to standard error so far; may signal the process. */
  onStderr?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export function environment(project: Project, env: { [name: string]: string } = {}): NodeJS.ProcessEnv {
  return {
    PATH: `${dirname(NODE)}${delimiter}${process.env.PATH ?? ''}`,
    HOME: project.home,
    TMPDIR: project.tmp,
    ...COMPILE_CACHE,
    ...env,
  };
}

function runCli(args: string[], options: RunOptions & { project: Project }): Promise<Ran> {
  const { project } = options;
  return new Promise((done, fail) => {
    const child = spawn(NODE, [CLI, ...args], {
      cwd: join(project.dir, options.cwd ?? '.'),
      env: environment(project, options.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      out.stderr += text;
      options.onStderr?.(out.stderr, (signal) => child.kill(signal));
    });
    child.on('error', fail);
    child.on('close', (code) => done({ code, ...out }));
  });
}

/** A config with these servers. */
export function config(servers: { [key: string]: object }): object {
  return { mcpServers: servers };
}

export function tool(name: string, more: object = {}): object {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: {
      type: 'object',
      properties: { place: { type: 'string', description: 'Where to look.' } },
      required: ['place'],
    },
    ...more,
  };
}

/** Two servers that work, `alpha` with two tools and `beta` with one. */
export function twoServers(): Files {
  return {
    '.mcp.json': config({
      alpha: launch('surface-server.mjs', 'alpha.json'),
      beta: launch('surface-server.mjs', 'beta.json'),
    }),
    'alpha.json': { instructions: 'Ask alpha first.', tools: [tool('look'), tool('find')] },
    'beta.json': { tools: [tool('count')] },
  };
}
