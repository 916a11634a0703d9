import { parseSkill } from '../config/parse-skill.ts';
import { maskList } from '../lock/mask.ts';
import { createSecretMask } from '../lock/mask-secrets.ts';
import { maskedBytes, type RawSkillFile, skillRecord, textOf } from '../lock/skill-record.ts';
import type { CapabilityRecord, LockedServer, MaskName } from '../lock/types.ts';
import { findDefect } from '../lock/unpinnable.ts';
import { AgentGateError } from '../util/errors.ts';
import type { JsonObject } from '../util/json.ts';
import { sortedEntries } from '../util/order.ts';
import type { SkillBundle, SkillsFolder } from './types.ts';

/**
 * The lock's entry of a skills folder. Throws for the first skill that cannot be pinned: `E_SKILL_YAML`,
 * `E_SKILL_ENCODING` (a `SKILL.md` that is no UTF-8 text), `E_SKILL_NAMES` and the codes of `findDefect`.
 */
export function pinSkillsFolder(folder: string, { skills }: SkillsFolder): LockedServer {
  const records = new Map<string, CapabilityRecord>();
  const names = new Map<string, string>();
  for (const skill of skills) {
    const normal = skill.name.normalize('NFC');
    const twin = names.get(normal);
    if (twin !== undefined)
      throw new AgentGateError(
        'E_SKILL_NAMES',
        `${skill.folder} has the same name as ${twin} after Unicode normalisation (NFC); rename one.`,
        { file: skill.folder },
      );
    names.set(normal, skill.folder);
    records.set(skill.name, pinSkill(skill));
  }
  return {
    source: { type: 'local', path: folder },
    transport: 'skills',
    skills: new Map(sortedEntries(records)),
    extra: {},
  };
}

function pinSkill(skill: SkillBundle): CapabilityRecord {
  const file = `${skill.folder}/SKILL.md`;
  const used = new Set<MaskName>();
  const files = withoutCredentials(skill.files, used);
  const raw = files.get('SKILL.md');
  const text = raw && textOf(raw.bytes);
  if (text === undefined)
    throw new AgentGateError('E_SKILL_ENCODING', `${file} is no UTF-8 text; save it as UTF-8.`, { file });
  const { head, body, frontmatter } = parseSkill(text, file);
  const definition: JsonObject = { body, frontmatter };
  const defect = findDefect(definition);
  if (defect !== undefined)
    throw new AgentGateError(defect.code, `${file} cannot be pinned: ${defect.pointer} ${defect.message}.`, {
      file,
    });
  try {
    const record = skillRecord({ definition, head, files });
    const masks = maskList(used);
    return masks === undefined ? record : { ...record, masked: masks };
  } catch (error) {
    if (!(error instanceof AgentGateError)) throw error;
    throw new AgentGateError(error.code, `${skill.folder} cannot be pinned: ${error.message}`, { file });
  }
}

/** The files with a mark for each credential: the lock keeps texts, and what is pinned of a file is what it keeps. */
function withoutCredentials(
  files: ReadonlyMap<string, RawSkillFile>,
  used: Set<MaskName>,
): Map<string, RawSkillFile> {
  const mask = createSecretMask();
  const masked = new Map<string, RawSkillFile>();
  for (const [path, file] of files) masked.set(path, { ...file, bytes: maskedBytes(file.bytes, mask, used) });
  return masked;
}
