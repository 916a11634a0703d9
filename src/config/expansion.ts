import { readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, resolve, sep } from 'node:path';
import { AgentGateError } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { isOutside } from '../util/paths.ts';
import { traitsOf } from './clients.ts';
import { MAX_CONFIG_BYTES } from './config-files.ts';
import { isJobFile } from './job-files.ts';
import { namedLiteral } from './literal-secrets.ts';
import {
  type KnownPlace,
  ownSyntax,
  type Part,
  type Position,
  type Reference,
  splitReferences,
} from './references.ts';
import type { DeclaredServer, ServerPolicy } from './types.ts';

export interface ResolveOptions {
  env: NodeJS.ProcessEnv;
  policy?: ServerPolicy;
  /** Absolute working directory: files that the config names must lie in it. */
  cwd: string;
  /** Reads a text file by absolute path; undefined when it cannot be read. */
  readFile?: (path: string) => string | undefined;
}

/** Values this short would be redacted out of every text. */
const MIN_SECRET = 4;

/** One server's expansion: what it looked up on the way. */
export class Expansion {
  readonly declared: DeclaredServer;
  readonly options: ResolveOptions;
  readonly variables = new Set<string>();
  /** Value to the name of what held it. */
  readonly secrets = new Map<string, string>();

  constructor(declared: DeclaredServer, options: ResolveOptions) {
    this.declared = declared;
    this.options = options;
  }

  error(code: string, message: string): AgentGateError {
    const { key, config, line, column } = this.declared;
    return new AgentGateError(code, message, { file: config, line, column, server: key });
  }

  addSecret(value: string, name: string): void {
    if (value.length >= MIN_SECRET && !this.secrets.has(value)) this.secrets.set(value, name);
  }

  /** A variable's value: the policy's, else the job's. */
  lookup(name: string): string | undefined {
    const { policy, env } = this.options;
    const fixed = policy?.env.get(name);
    if (fixed !== undefined) {
      this.variables.add(name);
      return this.policyValue(fixed);
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) return undefined;
    this.variables.add(name);
    this.addSecret(value, name);
    return value;
  }

  /** As {@link lookup}; unset is an error. */
  variable(name: string): string {
    const value = this.lookup(name);
    if (value !== undefined) return value;
    throw this.error(
      'E_VARIABLE',
      `Server ${JSON.stringify(this.declared.key)} needs the variable ${shownName(name)}, which is not set; set it for this run, or give it a value in agentgate.yml under servers, ${JSON.stringify(this.declared.key)}, env.`,
    );
  }

  text(text: string, position: Position): string {
    return splitReferences(text, this.declared.client, position)
      .map((part) => this.part(part))
      .join('');
  }

  /** An argument; a bundle's list value becomes several. */
  argument(text: string): string[] {
    const parts = splitReferences(text, this.declared.client, 'args');
    const [only] = parts;
    if (parts.length === 1 && only?.kind === 'input') return this.input(only);
    return [parts.map((part) => this.part(part)).join('')];
  }

  /**
   * An argument that is not for the client to expand: the bridge or shell that gets it does, from its environment.
   * With `required`, a variable that has no value is an error.
   */
  kept(text: string, mode: 'required' | 'optional', env: Map<string, string>): string {
    return splitReferences(text, this.declared.client, 'args')
      .map((part) => {
        const name = /^\$\{([A-Za-z_]\w*)\}$/.exec(part.text)?.[1];
        if (name === undefined)
          return part.kind === 'foreign' && mode === 'optional' ? part.text : this.part(part);
        if (!env.has(name)) {
          const value = mode === 'required' ? this.variable(name) : this.lookup(name);
          if (value !== undefined) env.set(name, value);
        }
        return part.text;
      })
      .join('');
  }

  /** A path, expanded and made absolute against the workspace. */
  path(text: string, position: Position = 'cwd'): string {
    const path = this.text(text, position);
    return isAbsolute(path) ? path : join(this.declared.root, path);
  }

  /** The text of a file in the working directory. */
  file(path: string, code: string): string {
    const { cwd, readFile } = this.options;
    const shown = JSON.stringify(basename(path));
    const text = isOutside(cwd, resolve(path)) ? undefined : readFile ? readFile(path) : readBelow(cwd, path);
    if (text !== undefined) return text;
    throw this.error(
      code,
      `Server ${JSON.stringify(this.declared.key)} names the file ${shown}, which is not there, over 1 MiB, outside the working directory or the job's own.`,
    );
  }

  private part(part: Part): string {
    switch (part.kind) {
      case 'literal':
        return part.text;
      case 'variable':
        return this.variableOrFallback(part);
      case 'input':
        return this.input(part).join(' ');
      case 'place':
        return this.place(part.place);
      case 'file':
        return this.referencedFile(part.path);
      case 'foreign':
        throw this.foreign(part.text);
    }
  }

  private variableOrFallback(part: Reference & { kind: 'variable' }): string {
    // Copilot: what the entry sets in `env` may be used in the rest of it.
    const { launch, client } = this.declared;
    const own = client === 'copilot' && launch.transport === 'stdio' ? launch.env.get(part.name) : undefined;
    if (own !== undefined && own !== part.text && !own.includes('$')) return this.text(own, 'env');
    if (part.fallback === undefined) return this.variable(part.name);
    return this.lookup(part.name) ?? part.fallback.map((inner) => this.part(inner)).join('');
  }

  private input(reference: Reference & { kind: 'input' }): string[] {
    const fixed = this.options.policy?.env.get(reference.id);
    if (fixed !== undefined) {
      this.variables.add(reference.id);
      return [this.policyValue(fixed)];
    }
    const { declared } = this;
    if (declared.client === 'registry') {
      const value = this.lookup(reference.id);
      if (value !== undefined) return [value];
    }
    const fallback = declared.inputs?.get(reference.id)?.default;
    if (fallback !== undefined) return fallback.map((value) => this.defaultOf(value));
    throw this.error(
      'E_VARIABLE',
      `Server ${JSON.stringify(declared.key)} asks its user for ${JSON.stringify(reference.id)} (${reference.text}); give it a value in agentgate.yml under servers, ${JSON.stringify(declared.key)}, env.`,
    );
  }

  /** A default of a bundle may name the home folder, but no further input: that could go round in circles. */
  private defaultOf(value: string): string {
    return splitReferences(value, this.declared.client, 'args')
      .map((part) => (part.kind === 'place' ? this.place(part.place) : part.text))
      .join('');
  }

  /** `${VAR}` in the policy's own values comes from the job. */
  private policyValue(value: string): string {
    return splitReferences(value, 'claude-code', 'env')
      .map((part) => {
        if (part.kind !== 'variable') return part.kind === 'place' ? this.place(part.place) : part.text;
        const found = Object.hasOwn(this.options.env, part.name) ? this.options.env[part.name] : undefined;
        if (found !== undefined) {
          this.addSecret(found, part.name);
          return found;
        }
        if (part.fallback) return part.fallback.map(({ text }) => text).join('');
        throw this.error(
          'E_VARIABLE',
          `The policy gives server ${JSON.stringify(this.declared.key)} the variable ${part.name}, which is not set; set it for this run.`,
        );
      })
      .join('');
  }

  private place(place: KnownPlace): string {
    const { root, base } = this.declared;
    const home = this.options.env.HOME ?? this.options.env.USERPROFILE ?? homedir();
    switch (place) {
      case 'workspace':
        return root;
      case 'workspace-name':
        return basename(root);
      case 'base':
        return base ?? root;
      case 'home':
        return home;
      case 'separator':
        return sep;
      case 'desktop':
        return join(home, 'Desktop');
      case 'documents':
        return join(home, 'Documents');
      case 'downloads':
        return join(home, 'Downloads');
    }
  }

  /** opencode's `{file:path}`, relative to the config. */
  private referencedFile(path: string): string {
    const folder = join(this.options.cwd, this.declared.config, '..');
    const text = this.file(isAbsolute(path) ? path : join(folder, path), 'E_VARIABLE').trim();
    this.addSecret(text, namedLiteral(basename(path), text));
    return text;
  }

  private foreign(text: string): AgentGateError {
    const { key, client } = this.declared;
    const own = ownSyntax(client);
    const name = /([A-Za-z_]\w*)\}+$/.exec(text.slice(-100))?.[1] ?? 'NAME';
    const shown = JSON.stringify(visibleLine(text.length > 100 ? `${text.slice(0, 100)}…` : text));
    const advice = own === undefined ? 'pass the variable by name' : `write ${own.replace('NAME', name)}`;
    return this.error(
      'E_VARIABLE',
      `Server ${JSON.stringify(key)} refers to ${shown}, which ${traitsOf(client).label} does not replace: the server would get that very text; ${advice}.`,
    );
  }
}

/** A name as it is when it is an ordinary one; configs may hold any text for it. */
function shownName(name: string): string {
  return /^[\w.()-]{1,100}$/.test(name) ? name : JSON.stringify(visibleLine(name.slice(0, 100)));
}

function readBelow(cwd: string, path: string): string | undefined {
  try {
    const real = realpathSync(path);
    const stat = statSync(real);
    if (isOutside(realpathSync(cwd), real) || isJobFile(real)) return undefined;
    if (!stat.isFile() || stat.size > MAX_CONFIG_BYTES) return undefined;
    return readFileSync(real, 'utf8');
  } catch {
    return undefined;
  }
}
