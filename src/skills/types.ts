import type { RawSkillFile } from '../lock/skill-record.ts';

/** One skill as it lies in the repository. */
export interface SkillBundle {
  /** Its folder's path below the skills folder, `/`-separated. */
  name: string;
  /** The same, below the working directory. */
  folder: string;
  /** By path below its folder. */
  files: Map<string, RawSkillFile>;
}

/** All skills of one skills folder, and what a reviewer should know about it. */
export interface SkillsFolder {
  skills: SkillBundle[];
  notes: string[];
}
