/**
 * Writes `docs/rules/`: one page a rule and an index, from the rule tables. `--check` writes nothing and fails when a
 * page is not current.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuleInfo } from '../src/findings/rule.ts';
import { ruleInfos } from '../src/findings/rules/all.ts';

const FOLDER = join(import.meta.dirname, '..', 'docs', 'rules');

const FAMILIES: Record<string, string> = {
  'AG-TP': 'Tool poisoning',
  'AG-SH': 'Shadowing',
  'AG-SC': 'Secrets',
  'AG-CF': 'Configuration',
  'AG-SK': 'Skills',
};

const familyOf = (id: string): string => FAMILIES[id.slice(0, 5)] ?? '';
/** Outside of code, `<` would start HTML. */
const plain = (text: string): string =>
  text.replace(/`[^`]*`|<|\|/g, (part) => (part === '<' ? '&lt;' : part === '|' ? '\\|' : part));

function pageOf(rule: RuleInfo): string {
  const fence = rule.example.includes('```') ? '````' : '```';
  return [
    '<!-- Written by scripts/rule-docs.ts from src/findings/rules. -->',
    `# ${rule.id}: ${plain(rule.title)}`,
    '',
    `Family: ${familyOf(rule.id)}. Severity: ${rule.severity}; several rules on one capability raise each other by one.`,
    '',
    `**What it looks for.** ${plain(rule.what)}`,
    '',
    `**Why.** ${plain(rule.why)}`,
    '',
    '**Example.**',
    '',
    `${fence}text`,
    rule.example,
    fence,
    '',
    `**What to do.** ${plain(rule.fix)}`,
    '',
    'A finding that you have read and accept is suppressed in `agentgate.yml`:',
    '',
    '```yaml',
    'suppress:',
    `  - { rule: ${rule.id}, server: my-server, name: my_tool, reason: why it is fine, expires: 2027-12-31 }`,
    '```',
    '',
  ].join('\n');
}

function indexOf(rules: readonly RuleInfo[]): string {
  const lines = [
    '<!-- Written by scripts/rule-docs.ts from src/findings/rules. -->',
    '# Rules',
    '',
    'AgentGate does not claim to detect poisoning: it shows every change, and marks known carriers. What these rules',
    'cannot see: what a tool returns when it is called, what code does behind an unchanged surface, and plain prose that',
    'reads like a policy. Wordings are looked for in English; AG-TP-001, 002, 003 and 006 also in Spanish, German, French,',
    'Portuguese, Italian, Russian, Chinese, Japanese and Korean.',
    '',
    '| rule | title | severity |',
    '| --- | --- | --- |',
  ];
  for (const { id, title, severity } of rules)
    lines.push(`| [${id}](${id}.md) | ${plain(title)} | ${severity} |`);
  return `${lines.join('\n')}\n`;
}

/** Every page by file name. */
function rulePages(): Map<string, string> {
  const rules = ruleInfos();
  return new Map([
    ['README.md', indexOf(rules)],
    ...rules.map((rule): [string, string] => [`${rule.id}.md`, pageOf(rule)]),
  ]);
}

/** File names whose content is not current, or that no rule stands behind. */
export function stalePages(): string[] {
  const pages = rulePages();
  const present = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  const stale = [...pages].filter(
    ([name, text]) => !present.includes(name) || readFileSync(join(FOLDER, name), 'utf8') !== text,
  );
  return [...stale.map(([name]) => name), ...present.filter((name) => !pages.has(name))];
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const stale = stalePages();
    if (stale.length > 0) {
      console.error(`docs/rules is not current: ${stale.join(', ')}; run node scripts/rule-docs.ts`);
      process.exitCode = 1;
    }
  } else {
    mkdirSync(FOLDER, { recursive: true });
    for (const name of stalePages()) rmSync(join(FOLDER, name), { force: true });
    for (const [name, text] of rulePages()) writeFileSync(join(FOLDER, name), text);
  }
}
