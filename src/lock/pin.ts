import type { Surface } from '../capture/types.ts';
import type { LaunchRecord, ServerPolicy, Source, VolatileRule } from '../config/types.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { toolSurfaceHash } from './hash.ts';
import { pinCapabilities, pinInstructions, pinUiResources } from './pin-capability.ts';
import type { PinContext, PinProblem } from './pin-problem.ts';
import type { pinServerSkills } from './pin-server-skills.ts';
import { createSurfaceMask, type MaskedFacts } from './surface-mask.ts';
import type { LockedServer } from './types.ts';
import { volatileBudget } from './volatile.ts';

export type { PinProblem } from './pin-problem.ts';

export interface PinOptions extends MaskedFacts {
  /** Key in the lock. */
  server: string;
  policy: ServerPolicy;
  /** Redacted and masked already. */
  launch: LaunchRecord;
  source: Source;
  /** Path of the config that declares the server, relative to the working directory. */
  config: string;
  /** How clients start it through AgentGate's proxy (`gateRecord`); absent: not looked at. */
  gate?: JsonObject;
  /** Needed for a surface with skills; brings a YAML parser, which few servers need. */
  pinSkills?: typeof pinServerSkills;
}

/**
 * Makes the lock's entry of a live surface: masks, hashes, stored definitions (`DESIGN.md` §3.3). What cannot be
 * pinned is a problem and is missing in the entry; with any problem the server counts as not checked. The surface is
 * not changed. `idleMasks` are rules of the policy that matched nothing. Never throws for what a server sent.
 */
export function pinSurface(
  surface: Surface,
  options: PinOptions,
): { entry: LockedServer; problems: PinProblem[]; idleMasks: VolatileRule[] } {
  const problems: PinProblem[] = [];
  const context: PinContext = {
    server: options.server,
    policy: options.policy,
    mask: createSurfaceMask(options),
    budget: volatileBudget(),
    problems,
    used: new Set(),
  };
  const tools = pinCapabilities('tool', surface.tools, context);
  const entry: LockedServer = {
    config: options.config,
    launch: options.launch,
    ...(options.gate && { gate: options.gate }),
    source: options.source,
    transport: surface.transport,
    protocolVersion: surface.protocolVersion,
    toolSurfaceHash: toolSurfaceHash([...tools].map(([name, record]) => [name, record.hash])),
    tools,
    prompts: pinCapabilities('prompt', surface.prompts, context),
    instructions: pinInstructions(surface.instructions, context),
    extra: {},
  };
  if (options.policy.resources === 'pin') {
    entry.resources = pinCapabilities('resource', surface.resources, context);
    pinUiResources(surface.uiResources ?? new Map(), entry.resources, context);
    entry.resourceTemplates = pinCapabilities('resourceTemplate', surface.resourceTemplates, context);
  }
  if (surface.skills !== undefined) {
    if (options.pinSkills === undefined) throw new TypeError('a surface with skills needs pinSkills');
    entry.skills = options.pinSkills(surface.skills, context);
  } else if (!offersSkills(surface.capabilities)) entry.skills = new Map();
  return { entry, problems, idleMasks: options.policy.volatile.filter((rule) => !context.used.has(rule)) };
}

/** A surface that was captured by an older release: what it offers was not listed, and stays unpinned. */
function offersSkills(capabilities: Json | undefined): boolean {
  if (!isObject(capabilities)) return false;
  const extensions = own(capabilities, 'extensions');
  return isObject(extensions) && Object.hasOwn(extensions, 'io.modelcontextprotocol/skills');
}
