import { isObject, type Json, own } from '../util/json.ts';
import type { Handshake } from './handshake.ts';
import { listAll } from './list.ts';
import { readServerSkills } from './server-skills.ts';
import type { Session } from './session.ts';
import type { Surface } from './types.ts';
import { readUiResources } from './ui-resources.ts';

export interface Reading {
  surface: Surface;
  /** What a reviewer should know, one sentence each without a subject. */
  notes: string[];
}

/**
 * Reads a server's whole surface over a session that has begun. Tools are never called and resources never read, but for
 * the UI pages that tools name and the files of skills. Throws as {@link listAll}, {@link readUiResources} and
 * {@link readServerSkills} do.
 */
export async function readSurface(
  session: Session,
  handshake: Handshake,
  options: { ignoreResources: boolean },
): Promise<Reading> {
  const notes: string[] = [];
  const lists = await listAll(session, handshake.requestMeta, {
    ...options,
    note: (text) => notes.push(text),
  });
  const ui = await readUiResources(session, handshake.requestMeta, lists.tools);
  const skills = await readServerSkills(session, handshake);
  const surface: Surface = {
    protocolVersion: handshake.protocolVersion,
    transport: session.channel.transport,
    ...lists,
    asked: [...session.asked],
  };
  if (handshake.instructions !== undefined) surface.instructions = handshake.instructions;
  if (handshake.capabilities !== undefined) surface.capabilities = handshake.capabilities;
  if (handshake.serverInfo !== undefined) surface.serverInfo = handshake.serverInfo;
  if (skills !== undefined) surface.skills = skills;
  if (ui.resources.size > 0) surface.uiResources = ui.resources;
  return { surface, notes: [...notes, ...unadvertised(surface), ...ui.notes] };
}

/** Strict clients do not ask for what is not advertised, so its reviewer should know. */
function unadvertised(surface: Surface): string[] {
  const has = (name: string): boolean =>
    isObject(surface.capabilities) && own(surface.capabilities, name) !== undefined;
  const notes: string[] = [];
  const check = (name: string, items: Json[]): void => {
    if (items.length > 0 && !has(name)) notes.push(`lists ${name} without advertising the capability`);
  };
  check('tools', surface.tools);
  check('prompts', surface.prompts);
  check('resources', [...surface.resources, ...surface.resourceTemplates]);
  return notes;
}
