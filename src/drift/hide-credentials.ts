import { mapStrings } from '../lock/canonical.ts';
import type { CapabilityRecord, InstructionsRecord, LockedServer, SkillFile } from '../lock/types.ts';
import { credentialsIn } from '../util/credential-marks.ts';
import { AgentGateError } from '../util/errors.ts';
import type { Json } from '../util/json.ts';
import { replaceSpans } from '../util/spans.ts';

/**
 * The record with `***` for each credential of a known format, for reports: a lock of an older release holds them as
 * the server sent them, a newer one has marks (`masked`). The same object when there is none. Hashes stay.
 */
export function hideCredentials<T extends CapabilityRecord>(record: T): T {
  if (record.masked?.includes('CREDENTIAL')) return record;
  const definition = hideIn(record.definition);
  const meta = hideIn(record.meta);
  const files = hideInFiles(record.files);
  if (definition === record.definition && meta === record.meta && files === record.files) return record;
  return { ...record, definition, meta, files };
}

/** As {@link hideCredentials}. */
export function hideInInstructions(record: InstructionsRecord | null): InstructionsRecord | null {
  if (record?.text === undefined || record.masked?.includes('CREDENTIAL')) return record;
  const text = hideInText(record.text);
  return text === record.text ? record : { ...record, text };
}

/** As {@link hideCredentials}, for all that a server's entry holds. */
export function hideInServer(server: LockedServer): LockedServer {
  const all = <T extends CapabilityRecord>(records: Map<string, T> | undefined): Map<string, T> | undefined =>
    records && new Map([...records].map(([name, record]) => [hideInText(name), hideCredentials(record)]));
  return {
    ...server,
    instructions: server.instructions && hideInInstructions(server.instructions),
    tools: all(server.tools),
    prompts: all(server.prompts),
    resources: all(server.resources),
    resourceTemplates: all(server.resourceTemplates),
    skills: all(server.skills),
  };
}

/** A text with `***` for each credential of a known format. */
export function hideInText(text: string): string {
  const found = credentialsIn(text).filter(({ format }) => format !== 'literal');
  return found.length === 0 ? text : replaceSpans(text, found);
}

/** Nothing of a value that cannot be looked through: its hash tells that it differs. */
function hideIn<T extends Json>(value: T | undefined): T | undefined {
  if (value === undefined) return undefined;
  try {
    return mapStrings(value, hideInText) as T;
  } catch (error) {
    if (error instanceof AgentGateError) return undefined;
    throw error;
  }
}

function hideInFiles(files: Map<string, SkillFile> | undefined): Map<string, SkillFile> | undefined {
  if (files === undefined) return undefined;
  let changed = false;
  const shown = new Map<string, SkillFile>();
  for (const [path, file] of files) {
    const text = file.text === undefined ? undefined : hideInText(file.text);
    changed ||= text !== file.text;
    shown.set(path, text === file.text ? file : { ...file, text });
  }
  return changed ? shown : files;
}
