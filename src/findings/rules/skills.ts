import { hooks, linksOut, loadTimeCommands, unscopedTools } from '../matchers/skill-shape.ts';
import type { SkillRule } from '../rule.ts';

/** AG-SK: skills that can do more than be read. */
export const SKILLS: readonly SkillRule[] = [
  {
    id: 'AG-SK-001',
    on: 'skill',
    title: 'Runs commands when loaded',
    severity: 'medium',
    what: 'A command in backticks behind an exclamation mark, or a fence that opens with one.',
    why: 'It runs before anyone, the model included, has read the skill.',
    example: '!`git status`',
    fix: 'Read the command. Replace it by an instruction if it need not run at load.',
    match: loadTimeCommands,
  },
  {
    id: 'AG-SK-002',
    on: 'skill',
    title: 'Unscoped allowed-tools',
    severity: 'low',
    what: '`allowed-tools` with a shell or everything, without a limit.',
    why: 'The skill runs any command without a question.',
    example: 'allowed-tools: Bash',
    fix: 'Name the commands: Bash(git diff:*)',
    match: unscopedTools,
  },
  {
    id: 'AG-SK-003',
    on: 'skill',
    title: 'Installs hooks',
    severity: 'medium',
    what: '`hooks` in the frontmatter, or a plugin manifest inside of the skill.',
    why: 'Hooks run commands on events, also when the skill is not in use.',
    example: 'hooks: { PostToolUse: … }',
    fix: 'Read what the hooks run.',
    match: hooks,
  },
  {
    id: 'AG-SK-004',
    on: 'skill',
    title: 'Leads out of its folder',
    severity: 'low',
    what: 'A link in the text to a file outside; a symbolic link that leaves the folder is medium.',
    why: 'What it leads to is not pinned.',
    example: '[notes](../../shared/notes.md)',
    fix: 'Put the file into the skill’s folder.',
    match: linksOut,
  },
];
