import type { Answer } from '../capture/answer.ts';
import { AgentGateError } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { isObject, type Json, type JsonObject, own, setOwn } from '../util/json.ts';
import { type CallLink, INPUT_REQUIRED } from './call.ts';
import { ServerError, serverErrorText } from './server-error.ts';
import type { ServerState } from './server-state.ts';
import type { VerifiedSurface } from './surface.ts';
import type { Upstream } from './upstream.ts';
import { matchesTemplate } from './uri-template.ts';
import { within } from './within.ts';

/** Values of a completion (MCP: 100 at most), and characters of each. */
const MAX_VALUES = 100;
const MAX_VALUE = 2_048;
/** Milliseconds that a completion may take: somebody is typing. */
const COMPLETE_MS = 30_000;

/** Prompts and resources, which follow the lock as tools do. Everything that is refused throws `E_NOT_PINNED`. */
export class Reads {
  private readonly upstream: Upstream;
  private readonly state: ServerState;

  constructor(upstream: Upstream, state: ServerState) {
    this.upstream = upstream;
    this.state = state;
  }

  /** Answers `prompts/get`. */
  async prompt(name: string, args: JsonObject | undefined, link: CallLink): Promise<Json> {
    const check = (surface: VerifiedSurface): void => checkPrompt(surface, name);
    return await this.ask(
      'prompts/get',
      args === undefined ? { name } : { name, arguments: args },
      check,
      link,
    );
  }

  /** Answers `resources/read`. */
  async resource(uri: string, link: CallLink): Promise<Json> {
    return await this.ask('resources/read', { uri }, (surface) => checkResource(surface, uri), link);
  }

  /** Subscribes to a resource. */
  async subscribe(uri: string): Promise<void> {
    checkResource(await this.upstream.surface(), uri);
    await this.state.subscribe(uri);
  }

  /** Answers `completion/complete` for an argument of a prompt or of a resource template. */
  async complete(params: JsonObject, link: CallLink): Promise<Json> {
    const [ref, argument, context] = ['ref', 'argument', 'context'].map((key) => own(params, key));
    const check = (surface: VerifiedSurface): void => checkReference(surface, ref);
    const name = isObject(argument) ? own(argument, 'name') : undefined;
    const value = isObject(argument) ? own(argument, 'value') : undefined;
    if (typeof name !== 'string' || typeof value !== 'string')
      throw new AgentGateError('E_ARGS_INVALID', '"argument" has no name and value that are strings');
    const sent: JsonObject = { ref: writtenReference(ref), argument: { name, value } };
    const earlier = isObject(context) ? own(context, 'arguments') : undefined;
    if (isObject(earlier)) sent.context = { arguments: stringsOf(earlier) };
    const result = await this.ask('completion/complete', sent, check, link, COMPLETE_MS);
    return { completion: writtenCompletion(result) };
  }

  private async ask(
    method: string,
    params: JsonObject,
    check: (surface: VerifiedSurface) => void,
    link: CallLink,
    ms?: number,
  ): Promise<JsonObject> {
    const answer = await within(
      link.signal,
      async (signal) => await this.upstream.request(method, params, { ...link, signal, check }),
      ms,
    );
    return resultOf(answer);
  }
}

/** True when a resource is pinned, or comes from a pinned template and is not one that was refused. */
export function isPinnedResource(surface: VerifiedSurface, uri: string): boolean {
  if (surface.allowed.resources.has(uri)) return true;
  if (surface.refused.resources.has(uri)) return false;
  return [...surface.allowed.resourceTemplates.keys()].some((template) => matchesTemplate(template, uri));
}

function checkResource(surface: VerifiedSurface, uri: string): void {
  if (!isPinnedResource(surface, uri)) throw notPinned('Resource', uri, surface.refused.resources.get(uri));
}

function checkPrompt(surface: VerifiedSurface, name: string): void {
  if (!surface.allowed.prompts.has(name)) throw notPinned('Prompt', name, surface.refused.prompts.get(name));
}

function checkReference(surface: VerifiedSurface, ref: Json | undefined): void {
  const written = writtenReference(ref);
  if (written.type === 'ref/prompt') checkPrompt(surface, String(written.name));
  else if (!surface.allowed.resourceTemplates.has(String(written.uri)))
    checkResource(surface, String(written.uri));
}

function writtenReference(ref: Json | undefined): { type: string; name?: string; uri?: string } {
  const type = isObject(ref) ? own(ref, 'type') : undefined;
  const member = type === 'ref/prompt' ? 'name' : type === 'ref/resource' ? 'uri' : undefined;
  const named = isObject(ref) && member !== undefined ? own(ref, member) : undefined;
  if (typeof type !== 'string' || member === undefined || typeof named !== 'string')
    throw new AgentGateError('E_ARGS_INVALID', '"ref" names neither a prompt nor a resource');
  return { type, [member]: named };
}

function stringsOf(values: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(values)) if (typeof value === 'string') setOwn(kept, key, value);
  return kept;
}

function writtenCompletion(result: JsonObject): JsonObject {
  const completion = own(result, 'completion');
  const values = isObject(completion) ? own(completion, 'values') : undefined;
  const total = isObject(completion) ? own(completion, 'total') : undefined;
  const hasMore = isObject(completion) ? own(completion, 'hasMore') : undefined;
  const texts = (Array.isArray(values) ? values : []).filter((value) => typeof value === 'string');
  return {
    values: texts.slice(0, MAX_VALUES).map((text) => text.slice(0, MAX_VALUE).toWellFormed()),
    ...(typeof total === 'number' && Number.isSafeInteger(total) ? { total } : {}),
    ...(typeof hasMore === 'boolean' ? { hasMore } : {}),
  };
}

function resultOf(answer: Answer): JsonObject {
  if (!answer.ok) throw new ServerError(serverErrorText(answer.error), answer.error.code);
  const { result } = answer;
  if (!isObject(result)) throw new ServerError('the server answered with no object');
  const type = own(result, 'resultType');
  if (type !== undefined && type !== 'complete')
    throw new AgentGateError(INPUT_REQUIRED, 'the server asks for further input, which is not passed on');
  return result;
}

function notPinned(word: string, name: string, why = 'is not in the lock'): AgentGateError {
  return new AgentGateError(
    'E_NOT_PINNED',
    `${word} ${visibleLine(JSON.stringify(name.slice(0, 200).toWellFormed()))} ${why}`,
  );
}
