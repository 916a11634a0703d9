import type { VolatileRule } from '../config/types.ts';
import { AgentGateError } from '../util/errors.ts';
import { isObject, type Json, type JsonObject, own, setOwn } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';
import { CanonicalError, mapStrings, mayDenormalise } from './canonical.ts';
import { hashOf, nfcHashOf, splitMeta, toolHashes } from './hash.ts';
import { maskList } from './mask.ts';
import { addProblem, type PinContext } from './pin-problem.ts';
import type { CapabilityRecord, InstructionsRecord, MaskName, ToolRecord } from './types.ts';
import { findDefect } from './unpinnable.ts';
import { applyVolatile, VolatileError, volatileRules } from './volatile.ts';

type ListedKind = 'tool' | 'prompt' | 'resource' | 'resourceTemplate';

/** The member that names a capability of a kind. */
const NAME_MEMBER = {
  tool: 'name',
  prompt: 'name',
  resource: 'uri',
  resourceTemplate: 'uriTemplate',
} as const;

/**
 * The records of one list, by name, in code-unit order. What cannot be pinned becomes a problem of the context and has
 * no record: neither of two equal names has one.
 */
export function pinCapabilities(
  kind: ListedKind,
  raws: readonly Json[],
  context: PinContext,
): Map<string, ToolRecord> {
  const records = new Map<string, ToolRecord>();
  /** NFC form of each name to the name. */
  const names = new Map<string, { name: string; raw: Json | undefined }>();
  raws.forEach((raw, index) => {
    const pinned = pinOne(kind, raw, index, context);
    if (pinned === undefined) return;
    const normal = mayDenormalise(pinned.name) ? pinned.name.normalize('NFC') : pinned.name;
    const twin = names.get(normal);
    if (twin === undefined) {
      names.set(normal, { name: pinned.name, raw: pinned.rawName });
      records.set(pinned.name, pinned.record);
      return;
    }
    records.delete(twin.name);
    const pointer = `/${NAME_MEMBER[kind]}`;
    const [code, clause] =
      twin.raw === pinned.rawName
        ? ['E_DUPLICATE_NAME', 'is there twice in the list']
        : twin.name === pinned.name
          ? ['E_NAMES_EQUAL_MASKED', 'equals that of another one after masking']
          : ['E_NAMES_EQUAL_NFC', 'equals that of another one after Unicode normalisation (NFC)'];
    addProblem(context, { code, kind, name: pinned.name, pointer }, clause);
  });
  return new Map([...records].sort(([a], [b]) => byCodeUnit(a, b)));
}

interface Pinned {
  name: string;
  rawName: Json | undefined;
  record: ToolRecord;
}

function pinOne(kind: ListedKind, raw: Json, index: number, context: PinContext): Pinned | undefined {
  const member = NAME_MEMBER[kind];
  const rawName = isObject(raw) ? own(raw, member) : undefined;
  const problem = (code: string, pointer: string, clause: string): undefined => {
    const name = typeof rawName === 'string' ? context.mask(rawName) : `#${index + 1}`;
    addProblem(context, { code, kind, name, pointer }, clause);
  };
  if (!isObject(raw)) return problem('E_NOT_AN_OBJECT', '', 'is not an object');
  const defect = findDefect(raw);
  if (defect !== undefined) return problem(defect.code, defect.pointer, defect.message);
  if (typeof rawName !== 'string')
    return problem('E_NO_NAME', `/${member}`, rawName === undefined ? 'is missing' : 'is not a string');
  const used = new Set<MaskName>();
  try {
    const masked = maskDefinition(kind, raw, used, context);
    const name = own(masked, member);
    if (typeof name !== 'string') return problem('E_NO_NAME', `/${member}`, 'is not a string');
    return { name, rawName, record: capabilityRecord(kind, masked, used) };
  } catch (error) {
    if (!(error instanceof AgentGateError)) throw error;
    return problem(error.code, pointerOf(error), clauseOf(error));
  }
}

/** Host paths first, in all texts, then the reviewed masks of the policy. */
function maskDefinition(
  kind: ListedKind,
  raw: JsonObject,
  used: Set<MaskName>,
  context: PinContext,
): JsonObject {
  const masked = mapStrings(raw, (text) => context.mask(text, used)) as JsonObject;
  const rules = volatileRules(context.policy, kind, String(own(masked, NAME_MEMBER[kind])));
  return applyVolatile(masked, rules, context.budget, noteMask(used, context)) as JsonObject;
}

function noteMask(used: Set<MaskName>, context: PinContext): (rule: VolatileRule) => void {
  return (rule) => {
    used.add('volatile');
    context.used.add(rule);
  };
}

function capabilityRecord(kind: ListedKind, masked: JsonObject, used: ReadonlySet<MaskName>): ToolRecord {
  const { definition: whole, meta } = splitMeta(masked);
  const definition = kind === 'resource' || kind === 'resourceTemplate' ? withoutData(whole) : whole;
  const record: ToolRecord = {
    ...(kind === 'tool' ? toolHashes(definition) : { hash: nfcHashOf(definition) }),
    definition,
    extra: {},
  };
  if (meta !== undefined) {
    record.meta = meta;
    record.metaHash = hashOf(meta);
  }
  const masks = maskList(used);
  if (masks !== undefined) record.masked = masks;
  return record;
}

const DATE = /^\d{4}(?:-\d{2}){0,2}(?:T[0-9:.]{2,20}(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Without what tells of a resource's present data, not of the surface: `size` and `annotations.lastModified`. Only a
 * number and a date are taken out, so that no words can hide there.
 */
function withoutData(definition: JsonObject): JsonObject {
  const annotations = own(definition, 'annotations');
  const date = isObject(annotations) ? own(annotations, 'lastModified') : undefined;
  const dated = typeof date === 'string' && DATE.test(date);
  const sized = typeof own(definition, 'size') === 'number';
  if (!dated && !sized) return definition;
  const { size, ...rest } = definition;
  const kept = sized ? rest : { ...definition };
  if (dated && isObject(annotations)) {
    const { lastModified, ...others } = annotations;
    setOwn(kept, 'annotations', others);
  }
  return kept;
}

/** Adds the content of UI resources to the record of each; one that the server does not list gets a record. */
export function pinUiResources(
  contents: ReadonlyMap<string, JsonObject>,
  records: Map<string, CapabilityRecord>,
  context: PinContext,
): void {
  for (const [uri, content] of contents) {
    const problem = { kind: 'resource', name: context.mask(uri) } as const;
    const defect = findDefect(content);
    if (defect !== undefined) {
      addProblem(context, { ...problem, code: defect.code, pointer: defect.pointer }, defect.message);
      continue;
    }
    const used = new Set<MaskName>();
    try {
      const masked = mapStrings(content, (text) => context.mask(text, used)) as JsonObject;
      const name = context.mask(uri, used);
      const record = records.get(name) ?? unlistedRecord(name, masked);
      // Not in NFC: it makes a backtick of U+1FEF and a semicolon of U+037E, so two programs would have one hash.
      record.contentHash = hashOf(masked);
      record.contentSize = sizeOf(masked);
      record.content = masked;
      for (const mask of record.masked ?? []) used.add(mask);
      const masks = maskList(used);
      if (masks !== undefined) record.masked = masks;
      records.set(name, record);
    } catch (error) {
      if (!(error instanceof AgentGateError)) throw error;
      addProblem(context, { ...problem, code: error.code, pointer: pointerOf(error) }, clauseOf(error));
    }
  }
}

/** Bytes of all texts and blobs of a content. */
function sizeOf(content: JsonObject): number {
  const contents = own(content, 'contents');
  const list = Array.isArray(contents) ? contents : [content];
  return list.reduce((sum: number, one) => {
    const [text, blob] = isObject(one) ? [own(one, 'text'), own(one, 'blob')] : [];
    if (typeof text === 'string') return sum + Buffer.byteLength(text);
    return typeof blob === 'string' ? sum + Buffer.byteLength(blob, 'base64') : sum;
  }, 0);
}

function unlistedRecord(uri: string, content: JsonObject): CapabilityRecord {
  const definition: JsonObject = { uri };
  const mimeType = own(content, 'mimeType');
  if (mimeType !== undefined) definition.mimeType = mimeType;
  const meta = own(content, '_meta');
  if (meta !== undefined) setOwn(definition, '_meta', meta);
  return capabilityRecord('resource', definition, new Set());
}

/** The record of a server's instructions; `null` when it gave none. */
export function pinInstructions(raw: Json | undefined, context: PinContext): InstructionsRecord | null {
  if (raw === undefined || raw === null) return null;
  const problem = { kind: 'instructions', name: '' } as const;
  if (typeof raw !== 'string') {
    addProblem(context, { ...problem, code: 'E_NOT_A_TEXT', pointer: '/text' }, 'is not a string');
    return null;
  }
  const defect = findDefect(raw);
  if (defect !== undefined) {
    addProblem(context, { ...problem, code: defect.code, pointer: '/text' }, defect.message);
    return null;
  }
  const used = new Set<MaskName>();
  try {
    const rules = volatileRules(context.policy, 'instructions', '');
    const text = applyVolatile(
      { text: context.mask(raw, used) },
      rules,
      context.budget,
      noteMask(used, context),
    );
    const masked = String((text as JsonObject).text);
    const masks = maskList(used);
    return { hash: nfcHashOf(masked), text: masked, ...(masks && { masked: masks }), extra: {} };
  } catch (error) {
    if (!(error instanceof AgentGateError)) throw error;
    addProblem(context, { ...problem, code: error.code, pointer: '/text' }, clauseOf(error));
    return null;
  }
}

function pointerOf(error: AgentGateError): string {
  return error instanceof CanonicalError || error instanceof VolatileError ? error.pointer : '';
}

function clauseOf(error: AgentGateError): string {
  if (error.code === 'E_KEYS_EQUAL') return 'equals another key of its object after masking';
  return error.message;
}
