import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { visit } from 'jsonc-parser';
import { captureServer } from '../../../src/capture/capture.ts';
import type { ServerProcess } from '../../../src/capture/process-types.ts';
import type { Capture, Surface } from '../../../src/capture/types.ts';
import type { ResolvedStdio } from '../../../src/config/types.ts';
import { compareServer } from '../../../src/drift/compare.ts';
import { pinSurface } from '../../../src/lock/pin.ts';
import type { LockedServer } from '../../../src/lock/types.ts';
import { captureNode, captureOptions, resolvedServer } from '../capture-it.ts';
import { mutate } from './mutate.ts';
import { Random } from './random.ts';

export interface FuzzPlan {
  seed: number;
  /** Answers that are mutated, each in a session of its own. */
  count: number;
  /** Of these, how many are sent by a real process. */
  processes?: number;
}

export interface FuzzResult {
  answers: number;
  /** By what came out: `match`, `drift`, or the code of an error. */
  outcomes: Map<string, number>;
  /** A wrong `match`, or a fault of ours, with what sent it. */
  wrong: string[];
}

const METHODS = [
  'initialize',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
] as const;
type Method = (typeof METHODS)[number];
/** Each answer as a server's line, by method; the ids are those that a session gives, in this order. */
type Lines = ReadonlyMap<Method, Buffer>;

const RESULTS: Record<Method, unknown> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'fuzzed', version: '1' },
    instructions: 'Look before you leap. Café ☕.',
  },
  'tools/list': {
    tools: [
      {
        name: 'find',
        title: 'Find',
        description: 'Looks for "notes" by\nwords.',
        inputSchema: {
          type: 'object',
          properties: { words: { type: 'string', maxLength: 40 } },
          required: ['words'],
        },
        annotations: { readOnlyHint: true },
        _meta: { tier: 1.5 },
      },
      {
        name: 'erase',
        description: 'Takes one away. Größe 9.',
        inputSchema: { type: 'object', additionalProperties: false },
      },
    ],
  },
  'prompts/list': { prompts: [{ name: 'daily', arguments: [{ name: 'day', required: true }] }] },
  'resources/list': { resources: [{ uri: 'notes://all', name: 'all', mimeType: 'text/plain' }] },
  'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'notes://{id}', name: 'one' }] },
};

function linesOf(results: Record<Method, unknown>): Map<Method, Buffer> {
  return new Map(
    METHODS.map((method, index) => [
      method,
      Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: index + 1, result: results[method] })}\n`),
    ]),
  );
}

/** Mutates answers one at a time, and checks what comes out against the lock of what was not mutated. */
export async function fuzz(plan: FuzzPlan): Promise<FuzzResult> {
  const result: FuzzResult = { answers: 0, outcomes: new Map(), wrong: [] };
  const base = linesOf(RESULTS);
  const locked = pinned(await captureLines(base));
  if (typeof locked === 'string')
    throw new Error(`the answers that are not mutated cannot be locked: ${locked}`);
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  process.on('unhandledRejection', onFault).on('uncaughtException', onFault);
  try {
    const one = async (seed: number, real: boolean): Promise<void> => {
      const random = new Random(seed);
      const method = random.pick(METHODS);
      const lines = new Map(base);
      lines.set(method, mutate(base.get(method) ?? Buffer.alloc(0), random));
      const capture = real ? await captureByProcess(lines) : await captureLines(lines, random);
      const outcome = outcomeOf(capture, locked);
      result.answers++;
      result.outcomes.set(outcome, (result.outcomes.get(outcome) ?? 0) + 1);
      const sent = (lines.get(method) ?? Buffer.alloc(0)).toString('latin1');
      const say = (what: string): void =>
        void result.wrong.push(`${what} (seed ${seed}, ${method}): ${JSON.stringify(sent.slice(0, 1500))}`);
      if (outcome === 'match' && !saysTheSame(method, lines.get(method))) say('matches what it is not');
      if (outcome === 'E_INTERNAL') say(`a fault: ${capture.ok ? '' : capture.error.message}`);
      for (const fault of faults.splice(0)) say(`a fault that nobody caught: ${String(fault)}`);
    };
    const seeds = Array.from({ length: plan.count }, (_, i) => plan.seed * 1_000_003 + i);
    const real = plan.processes ?? 0;
    await pool(seeds.slice(real), 16, (seed) => one(seed, false));
    await pool(seeds.slice(0, real), 4, (seed) => one(seed, true));
    return result;
  } finally {
    process.off('unhandledRejection', onFault).off('uncaughtException', onFault);
  }
}

async function pool(
  seeds: readonly number[],
  width: number,
  work: (seed: number) => Promise<void>,
): Promise<void> {
  const rest = seeds.values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const seed of rest) await work(seed);
    }),
  );
}

function outcomeOf(capture: Capture, locked: LockedServer): string {
  const entry = pinned(capture);
  if (typeof entry === 'string') return entry;
  return compareServer('odd', locked, entry, { accepted: false }).changes.length === 0 ? 'match' : 'drift';
}

/** The entry that a capture gives, or the code of why there is none. */
function pinned(capture: Capture): LockedServer | string {
  if (!capture.ok) return capture.error.code;
  return pinnedSurface(capture.surface);
}

export function pinnedSurface(surface: Surface): LockedServer | string {
  const { entry, problems } = pinSurface(surface, {
    server: 'odd',
    paths: {},
    policy: captureOptions().policy,
    launch: { command: 'node', args: [], env: [] },
    source: { type: 'local' },
    config: '.mcp.json',
  });
  return problems[0]?.code ?? entry;
}

/** Captures from a process that is none: its answers come as given, cut at random, and its output ends when nothing is asked. */
export async function captureLines(lines: Lines, random?: Random): Promise<Capture> {
  const launch: ResolvedStdio = { transport: 'stdio', command: 'none', args: [], env: new Map(), cwd: '/' };
  return await captureServer(
    resolvedServer(launch),
    captureOptions({
      startProcess: async () => fakeProcess(lines, random),
      install: async (given) => ({ launch: given, installMs: 0, notes: [] }),
    }),
  );
}

function fakeProcess(lines: Lines, random: Random | undefined): ServerProcess {
  const stdout = new PassThrough();
  let exit: (end: { code: number | null; signal: null }) => void = () => {};
  const exited = new Promise<{ code: number | null; signal: null }>((resolve) => {
    exit = resolve;
  });
  const end = (): void => {
    stdout.end();
    exit({ code: 0, signal: null });
  };
  let requests = 0;
  /** What is not asked for within some turns of the loop will not be: no clock is needed to see a hang. */
  const endUnlessAsked = (before: number, turns: number): void => {
    if (requests !== before || stdout.writableEnded) return;
    if (turns === 0) end();
    else setImmediate(endUnlessAsked, before, turns - 1);
  };
  const stdin = new Writable({
    write(chunk: Buffer, _, done) {
      for (const text of chunk.toString('utf8').split('\n')) {
        if (text === '') continue;
        const { id, method } = JSON.parse(text) as { id?: number; method?: string };
        requests++;
        if (method === undefined || id === undefined) continue;
        const answer = lines.get(method as Method) ?? refusal(id, -32601);
        // A second page, or a list that is read again: asked with another id.
        const isFirst = METHODS[id - 1] === method;
        if (!stdout.writableEnded)
          for (const piece of cut(isFirst ? answer : refusal(id), random)) stdout.write(piece);
      }
      setImmediate(endUnlessAsked, requests, 12);
      done();
    },
  });
  return {
    stdin,
    stdout,
    pid: undefined,
    stderrTail: () => '',
    exited,
    end: async () => end(),
    isolation: 'none',
    paths: { cwd: '/', home: '/nowhere/home', tmpdir: '/nowhere/tmp' },
  };
}

function refusal(id: number, code = -32602): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'no' } })}\n`);
}

function* cut(bytes: Buffer, random: Random | undefined): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const length =
      random === undefined || random.below(3) > 0 ? bytes.length : 1 + random.below(bytes.length);
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

/** The same by a process of its own. */
async function captureByProcess(lines: Lines): Promise<Capture> {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
  try {
    const file = join(folder, 'answers.json');
    writeFileSync(
      file,
      JSON.stringify([...lines].map(([method, line]) => [method, line.toString('base64')])),
    );
    return await captureNode([join(import.meta.dirname, '../servers/bytes-server.mjs'), file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Reads the bytes of an answer by other means than the product, and says whether they may be taken for the answer that
 * was not mutated. Only a line, or the end of one, that is valid UTF-8 and JSON, names no member twice and holds an equal
 * result can be it; and no line before it that any client would take for the answer may say something else.
 */
export function saysTheSame(method: Method, bytes: Buffer | undefined): boolean {
  const wanted = plain(RESULTS[method], method);
  const id = METHODS.indexOf(method) + 1;
  for (const line of linesIn(bytes ?? Buffer.alloc(0))) {
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(line);
    } catch {
      continue;
    }
    for (let from = text.indexOf('{'); from !== -1; from = text.indexOf('{', from + 1)) {
      const message = parsed(text.slice(from));
      if (message === undefined) continue;
      const { jsonrpc, id: answered, result } = message;
      if (jsonrpc !== '2.0' || String(answered) !== String(id) || !('result' in message)) break;
      return !namesTwice(text.slice(from)) && plain(result, method) === wanted;
    }
  }
  return false;
}

function* linesIn(bytes: Buffer): Generator<Buffer> {
  let from = 0;
  for (let lf = bytes.indexOf(10); lf !== -1; lf = bytes.indexOf(10, from)) {
    yield bytes.subarray(from, lf);
    from = lf + 1;
  }
  yield bytes.subarray(from);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function namesTwice(text: string): boolean {
  const open: Set<string>[] = [];
  let twice = false;
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (name) => {
      if (open.at(-1)?.has(name) === true) twice = true;
      open.at(-1)?.add(name);
    },
  });
  return twice;
}

/** What a lock pins of a result, with keys in order. */
function plain(result: unknown, method: Method): string {
  if (typeof result !== 'object' || result === null) return 'none';
  const key = { 'tools/list': 'tools', 'prompts/list': 'prompts', 'resources/list': 'resources' }[
    method as string
  ];
  const members = result as Record<string, unknown>;
  if (method === 'initialize') return JSON.stringify([members.protocolVersion, members.instructions ?? null]);
  const list = members[key ?? 'resourceTemplates'];
  if (!Array.isArray(list)) return 'none';
  return JSON.stringify(list.map((item) => JSON.stringify(ordered(item))).sort());
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => ({ key, member: ordered(member) }));
}
