import { AgentGateError } from '../util/errors.ts';
import { isObject, type JsonObject, own, pointerTokens } from '../util/json.ts';
import { describeProblem, scanJson } from '../util/strict-json.ts';
import { MAX_DEPTH } from './canonical.ts';
import { lockLines } from './lines.ts';
import { LOCK_CAPABILITIES, LOCK_SERVERS, refuseLargeText, tooLarge } from './lock-size.ts';
import { lockOf, ShapeError } from './read-shape.ts';
import { shown } from './shown.ts';
import type { CapabilityKind, Lock } from './types.ts';
import { type Edit, findEdits } from './verify.ts';

/** The newest `lockfileVersion` that this release reads. */
const LOCKFILE_VERSION = 1;

/** Levels around a definition: document, servers, server, tools, record. */
const OUTER_LEVELS = 5;
/** More edited entries than these are counted, not named. */
const MAX_NAMED = 10;

/** What an offline check of a lock looked at. */
export interface LockCounts {
  servers: number;
  tools: number;
  prompts: number;
  resources: number;
  resourceTemplates: number;
  skills: number;
  /** Servers with instructions. */
  instructions: number;
  /** Capabilities of which the lock holds hashes only, so that a difference could not be shown in words. */
  hashOnly: number;
}

/**
 * Reads the text of a lock (UTF-8 decoded; a BOM and CRLF are fine) and checks that every stored text reproduces its
 * hashes. `file` is the name to show, `room` what it may take in memory, in bytes; a small one is always read.
 *
 * Throws, with `file` and where possible line and column in `place`: `E_LOCK_CONFLICT`, `E_LOCK_SYNTAX`,
 * `E_LOCK_TOOLPRINT`, `E_LOCK_MCP_AGENTGATE`, `E_LOCK_NEWER`, `E_LOCK_INVALID` (keys there twice included),
 * `E_LOCK_EDITED`, `E_LOCK_TOO_LARGE`.
 */
export function parseLock(text: string, file: string, room?: number): Lock {
  refuseLargeText(text, file, room);
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const { value, problems } = scanJson(json, { maxDepth: MAX_DEPTH + OUTER_LEVELS });
  if (value === undefined) throw syntaxError(json, file, problems[0]?.message ?? 'is no valid JSON');
  if (!isObject(value)) throw invalid(json, file, [], 'the lock is not a JSON object');
  refuseForeign(value, file);
  refuseNewer(value, file);
  const problem = problems[0];
  if (problem !== undefined)
    throw invalid(json, file, pointerTokens(problem.pointer), describeProblem(problem));
  const lock = readShape(value, json, file);
  refuseManyEntries(lock, file);
  const edits = findEdits(lock);
  if (edits.length > 0) throw editedError(edits, json, file);
  return lock;
}

function refuseManyEntries(lock: Lock, file: string): void {
  const { servers, tools, prompts, resources, resourceTemplates, skills } = countLock(lock);
  if (servers > LOCK_SERVERS) throw tooLarge(file, `pins more than ${LOCK_SERVERS} servers`);
  if (tools + prompts + resources + resourceTemplates + skills > LOCK_CAPABILITIES)
    throw tooLarge(file, `pins more than ${LOCK_CAPABILITIES} capabilities`);
}

/** What there is in a lock, for a check of the file alone. */
export function countLock(lock: Lock): LockCounts {
  const counts: LockCounts = {
    servers: lock.servers.size,
    tools: 0,
    prompts: 0,
    resources: 0,
    resourceTemplates: 0,
    skills: 0,
    instructions: 0,
    hashOnly: 0,
  };
  for (const server of lock.servers.values()) {
    for (const list of ['tools', 'prompts', 'resources', 'resourceTemplates', 'skills'] as const) {
      for (const record of server[list]?.values() ?? []) {
        counts[list]++;
        if (record.definition === undefined) counts.hashOnly++;
      }
    }
    if (server.instructions) counts.instructions++;
  }
  return counts;
}

function syntaxError(text: string, file: string, what: string): AgentGateError {
  // A line that starts like this is never JSON: no string runs over a line's end.
  const marker = /^(?:<{7}|={7}|>{7}|\|{7})(?=[ \r\n]|$)/m.exec(text);
  if (marker !== null) {
    const line = lineAt(text, marker.index);
    return new AgentGateError(
      'E_LOCK_CONFLICT',
      `${file} holds merge conflict markers (line ${line}): take either side whole, then run "agentgate lock".`,
      { file, line, column: 1 },
    );
  }
  const place = /line (\d+), column (\d+)/.exec(what);
  const [line, column] = place === null ? [] : [Number(place[1]), Number(place[2])];
  return new AgentGateError(
    'E_LOCK_SYNTAX',
    `${file} ${what}: restore it from git, or delete it and run "agentgate lock".`,
    { file, line, column },
  );
}

/** Locks of other programs, `toolprint` and npm `mcp-agentgate`, the latter under the same file name. */
function refuseForeign(lock: JsonObject, file: string): void {
  if (Object.hasOwn(lock, 'toolprintVersion')) {
    throw new AgentGateError(
      'E_LOCK_TOOLPRINT',
      `${file} is a lock of toolprint, which AgentGate does not read: run "agentgate import" on it to move over, or move it away and run "agentgate lock".`,
      { file },
    );
  }
  const servers = own(lock, 'servers');
  const listsTools = (isObject(servers) ? Object.values(servers) : []).some(
    (server) => isObject(server) && Array.isArray(own(server, 'tools')),
  );
  if (Object.hasOwn(lock, 'generatedBy') || listsTools) {
    throw new AgentGateError(
      'E_LOCK_MCP_AGENTGATE',
      `${file} is a lock of the npm package mcp-agentgate, another program with the same file name: run ` +
        '"agentgate import" on it to move over, or move it away and run "agentgate lock".',
      { file },
    );
  }
}

function refuseNewer(lock: JsonObject, file: string): void {
  const version = own(lock, 'lockfileVersion');
  if (typeof version !== 'number' || version <= LOCKFILE_VERSION || !Number.isInteger(version)) return;
  const writer = own(lock, 'agentgateVersion');
  const by = typeof writer === 'string' ? ` (it was written by ${shown(writer)})` : '';
  throw new AgentGateError(
    'E_LOCK_NEWER',
    `${file} has lockfileVersion ${version} and this release reads up to ${LOCKFILE_VERSION}: ` +
      `use a release of AgentGate that reads version ${version}${by}.`,
    { file },
  );
}

function readShape(value: JsonObject, text: string, file: string): Lock {
  try {
    return lockOf(value);
  } catch (error) {
    if (error instanceof ShapeError) throw invalid(text, file, error.path, error.message);
    throw error;
  }
}

function invalid(text: string, file: string, path: readonly string[], what: string): AgentGateError {
  const line = lockLines(text).at(path);
  const where = line === undefined ? '' : ` (line ${line})`;
  return new AgentGateError(
    'E_LOCK_INVALID',
    `${file} is not a valid lock: ${what}${where}; restore it from git, or delete it and run "agentgate lock".`,
    { file, line },
  );
}

const LIST: Record<CapabilityKind | 'instructions' | 'server', string> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  resourceTemplate: 'resourceTemplates',
  skill: 'skills',
  instructions: 'instructions',
  server: 'toolSurfaceHash',
};

function editedError(edits: readonly Edit[], text: string, file: string): AgentGateError {
  const lines = lockLines(text);
  const lineOf = (edit: Edit): number | undefined =>
    lines.at(['servers', edit.server, LIST[edit.kind], ...(edit.name === '' ? [] : [edit.name])]);
  const named = edits.slice(0, MAX_NAMED).map((edit) => {
    const name = edit.kind === 'server' || edit.kind === 'instructions' ? '' : ` "${shown(edit.name)}"`;
    const line = lineOf(edit);
    const subject = `${edit.kind === 'server' ? '' : `${edit.kind}${name} `}${edit.field}`;
    return `${shown(edit.server)}: ${subject}${line === undefined ? '' : ` (line ${line})`}`;
  });
  const more = edits.length > named.length ? ` and ${edits.length - named.length} more` : '';
  const first = edits[0];
  const server = edits.every((edit) => edit.server === first?.server) ? first?.server : undefined;
  return new AgentGateError(
    'E_LOCK_EDITED',
    `${file} was edited by hand, its texts do not give its hashes: ${named.join('; ')}${more}; ` +
      'restore it from git, or delete it and run "agentgate lock".',
    { file, line: first && lineOf(first), server },
  );
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
