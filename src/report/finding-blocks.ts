import {
  type Block,
  code,
  cut,
  details,
  heading,
  type Inline,
  joined,
  name,
  paragraph,
  plural,
  strong,
  text,
} from './document.ts';
import { findingClause } from './finding-words.ts';
import type { Report, ReportFinding } from './model.ts';
import { fieldInlines, KIND_WORDS, severityWords } from './words.ts';

/** Characters of evidence in a cell. */
const EVIDENCE = 240;

/**
 * The findings as one table, worst first, at most `max` rows. Those that are told further up (`told`) and suppressed ones
 * are folded.
 */
export function findingBlocks(
  report: Report,
  max: number,
  told: ReadonlySet<ReportFinding> = new Set(),
): Block[] {
  const open = report.findings.filter((finding) => finding.suppressed === null);
  const fresh = rowsOf(open.filter((finding) => !told.has(finding)));
  const known = rowsOf(open.filter((finding) => told.has(finding)));
  const suppressed = rowsOf(report.findings.filter((finding) => finding.suppressed !== null));
  const count = (rows: Row[]): number => rows.reduce((sum, row) => sum + row.findings.length, 0);
  const blocks: Block[] = [];
  if (fresh.length > 0) {
    blocks.push(heading(2, text('Findings')), table(fresh.slice(0, max), 'text', textOf));
    const more = count(fresh.slice(max));
    if (more > 0) blocks.push(paragraph(text(`${plural(more, 'more finding')} in the full report.`)));
  }
  if (known.length > 0)
    blocks.push(
      details(
        [
          strong(text(plural(count(known), 'finding'))),
          text(` told above, with ${count(known) === 1 ? 'its' : 'their'} text`),
        ],
        [table(known.slice(0, max), 'text', textOf)],
        [],
      ),
    );
  if (suppressed.length > 0)
    blocks.push(
      details(
        [strong(text(plural(count(suppressed), 'suppressed finding')))],
        [table(suppressed.slice(0, max), 'reason', reasonOf)],
        [],
      ),
    );
  return blocks;
}

/** Findings of one severity in one text, with the same evidence: one row. */
interface Row {
  first: ReportFinding;
  findings: ReportFinding[];
}

function rowsOf(findings: readonly ReportFinding[]): Row[] {
  const rows = new Map<string, Row>();
  for (const finding of findings) {
    const { severity, server, kind, name: about, pointer, evidence, suppressed } = finding;
    const key = JSON.stringify([severity, server, kind, about, pointer, evidence, suppressed]);
    const row = rows.get(key);
    if (row === undefined) rows.set(key, { first: finding, findings: [finding] });
    else row.findings.push(finding);
  }
  return [...rows.values()];
}

function table(rows: Row[], last: string, cell: (finding: ReportFinding) => Inline[]): Block {
  return {
    kind: 'table',
    columns: [{ title: 'severity' }, { title: 'where' }, { title: 'what' }, { title: last }],
    rows: rows.map(({ first, findings }): Inline[][] => [
      [text(severityWords(first.severity))],
      whereInlines(first),
      joined(
        findings.map((finding) => [name(clauseOf(finding)), text(' '), code(finding.rule)]),
        '; ',
      ),
      cell(first),
    ]),
  };
}

function clauseOf(finding: ReportFinding): string {
  return findingClause(finding) ?? finding.message;
}

function textOf({ evidence }: ReportFinding): Inline[] {
  return [code(evidence.length > EVIDENCE ? `${cut(evidence, EVIDENCE - 1)}…` : evidence)];
}

function reasonOf({ suppressed }: ReportFinding): Inline[] {
  return [name(suppressed ?? '')];
}

function whereInlines(finding: ReportFinding): Inline[] {
  const subject: Inline[] =
    finding.name === '' ? [text(KIND_WORDS[finding.kind]?.one ?? '')] : [code(finding.name)];
  return [
    strong(name(finding.server)),
    text(' '),
    ...subject,
    ...(finding.pointer === '' || finding.pointer === '/text'
      ? []
      : [text(' '), ...fieldInlines(finding.pointer)]),
  ];
}
