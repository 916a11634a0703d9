import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Files, Project } from '../cli/support.ts';

/** Text of a `SKILL.md`. */
export function skillMd(name: string, body: string, more = ''): string {
  return `---\nname: ${name}\ndescription: Helps with ${name}.\n${more}---\n${body}`;
}

/** One skill with a script. */
export function oneSkill(): Files {
  return {
    '.claude/skills/report/SKILL.md': skillMd(
      'report',
      '# Report\n\nRun scripts/build.sh, then read the result.\n',
      'allowed-tools: Bash(git log:*) Read\n',
    ),
    '.claude/skills/report/scripts/build.sh': '#!/bin/sh\necho building\n',
    '.claude/skills/report/references/format.md': '# Format\n\nTwo columns.\n',
  };
}

/** A repository with skills, and what tests do to it. */
export class SkillProject extends Project {
  link(path: string, target: string): void {
    const absolute = join(this.dir, path);
    mkdirSync(dirname(absolute), { recursive: true });
    symlinkSync(target, absolute);
  }

  mode(path: string, mode: number): void {
    chmodSync(join(this.dir, path), mode);
  }

  delete(path: string): void {
    rmSync(join(this.dir, path), { recursive: true });
  }

  bytes(path: string, bytes: Uint8Array): void {
    const absolute = join(this.dir, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, bytes);
  }
}

/** A {@link SkillProject} that goes with the test. */
export function skillProject(files: Files = oneSkill()): SkillProject {
  const made = new SkillProject(files);
  onTestFinished(() => made.remove());
  return made;
}
