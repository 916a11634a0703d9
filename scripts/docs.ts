/**
 * Writes what is drawn from `src/settings.ts`: `action.yml`, and the tables of the README and of docs/reference.md between
 * their markers.
 * `--check` writes nothing and fails when a file is not current.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUTS, SETTINGS, type Setting, VERDICTS } from '../src/settings.ts';

const root = join(import.meta.dirname, '..');

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function actionYaml(): string {
  const lines = [
    '# Written by `npm run docs` from src/settings.ts.',
    'name: AgentGate',
    'description: Fails a pull request when an MCP server no longer shows what was reviewed, and shows what changed',
    'author: AgentGate',
    'branding:',
    '  icon: lock',
    '  color: green',
    'inputs:',
  ];
  for (const setting of SETTINGS.filter((each) => each.input)) {
    const values = setting.values ? ` One of ${setting.values.join(', ')}.` : '';
    const many = setting.many ? ' One a line.' : '';
    lines.push(
      `  ${setting.input}:`,
      `    description: ${quote(setting.text + many + values)}`,
      '    required: false',
      `    default: ${quote(setting.default ?? '')}`,
    );
  }
  lines.push('outputs:');
  for (const output of OUTPUTS) lines.push(`  ${output.name}:`, `    description: ${quote(output.text)}`);
  lines.push('runs:', '  using: node24', '  main: dist/index.js', '');
  return lines.join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
const defaultOf = (setting: Setting): string =>
  setting.defaultText ?? (setting.default ? `\`${setting.default}\`` : '');

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
}

export const SECTIONS: Record<string, () => string> = {
  inputs: () =>
    table(
      ['input', 'default', ''],
      SETTINGS.filter((each) => each.input).map((each) => [
        `\`${each.input}\``,
        defaultOf(each),
        each.text + (each.values ? ` (${each.values.map((value) => `\`${value}\``).join(', ')})` : ''),
      ]),
    ),
  outputs: () =>
    table(
      ['output', ''],
      OUTPUTS.map((each) => [`\`${each.name}\``, each.text]),
    ),
  options: () =>
    table(
      ['option', 'default', ''],
      SETTINGS.filter((each) => each.flag).map((each) => [
        `\`${each.short ? `${each.short}, ` : ''}${each.flag}\``,
        each.default === 'false' ? '' : defaultOf(each),
        each.text + (each.values && each.flag?.includes('<') ? ` (${each.values.join(', ')})` : ''),
      ]),
    ),
  verdicts: () =>
    table(
      ['verdict', 'exit', 'when'],
      VERDICTS.map((each) => [`\`${each.verdict}\``, String(each.exit), each.text]),
    ),
};

/** Which page holds which sections. */
const PAGES: Record<string, string[]> = {
  'README.md': ['inputs', 'outputs', 'verdicts'],
  'docs/reference.md': ['options'],
};

/** The text with each of its sections renewed; a missing marker is an error. */
function renewSections(text: string, page: string): string {
  let result = text;
  for (const name of PAGES[page] ?? []) {
    const make = SECTIONS[name] ?? (() => '');
    const pattern = new RegExp(`(<!-- ${name}:start -->\\n)[\\s\\S]*?(<!-- ${name}:end -->)`);
    if (!pattern.test(result)) throw new Error(`${page} has no section ${name}`);
    result = result.replace(pattern, (_, start: string, end: string) => `${start}\n${make()}\n\n${end}`);
  }
  return result;
}

function main(): void {
  const check = process.argv.includes('--check');
  const wanted: [string, string][] = [['action.yml', actionYaml()]];
  for (const page of Object.keys(PAGES))
    wanted.push([page, renewSections(readFileSync(join(root, page), 'utf8'), page)]);
  let stale = false;
  for (const [file, text] of wanted) {
    const path = join(root, file);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    stale = true;
    if (check) console.error(`${file} is not current: run npm run docs and commit it`);
    else writeFileSync(path, text);
  }
  if (check && stale) process.exit(1);
}

if (process.argv[1] === import.meta.filename) main();
