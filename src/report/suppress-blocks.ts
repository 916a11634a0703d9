import { type Block, code, paragraph, text } from './document.ts';
import { SHELL_WORD } from './lock-command.ts';
import type { ReportFinding } from './model.ts';

/** Suppressions that are written out. */
const WRITTEN = 5;

/** `fails the check until …`: what a reader has to know of findings that gate. */
export function gateWords(count: number): string {
  return count === 1
    ? 'fails the check until its text is gone, or is suppressed with a reason'
    : 'fail the check until their texts are gone, or are suppressed with a reason';
}

/** Lines for the policy that suppress the findings; none for a name that is no plain word. */
export function suppressBlocks(findings: readonly ReportFinding[]): Block[] {
  const lines = findings
    .filter(({ rule, server, name }) => [rule, server, name || 'x'].every((word) => SHELL_WORD.test(word)))
    .map(({ rule, server, name }) => {
      const of = name === '' ? '' : `, name: ${quoted(name)}`;
      return `  - { rule: ${quoted(rule)}, server: ${quoted(server)}${of}, reason: why it is harmless }`;
    });
  const shown = [...new Set(lines)].slice(0, WRITTEN);
  if (shown.length === 0) return [];
  return [
    paragraph(text('To suppress, in '), code('agentgate.yml'), text(':')),
    { kind: 'fence', info: 'text', text: ['suppress:', ...shown].join('\n') },
  ];
}

/** As it is, unless YAML could read it as something else than a text. */
function quoted(word: string): string {
  return /^[A-Za-z][\w.-]*$/.test(word) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(word)
    ? word
    : JSON.stringify(word);
}
