import type { ChangeStyle } from './change-blocks.ts';
import { countsOf } from './counts.ts';
import {
  type Block,
  code,
  details,
  heading,
  type Inline,
  name,
  paragraph,
  plural,
  strong,
  text,
} from './document.ts';
import { type FitOptions, fitSections, type Section } from './fit.ts';
import { headline } from './headline.ts';
import { safeUrl } from './markdown-escape.ts';
import type { Report, ReportFinding, ServerReport } from './model.ts';
import { serverTable } from './server-table.ts';
import { unitsOf } from './units.ts';
import { causeSentence, fieldInlines, KIND_WORDS, severityWords, sourceInlines } from './words.ts';

export interface ComposeOptions {
  /** Room for all blocks, in what `size` counts. */
  budget: number;
  size(blocks: Block[]): number;
  /** An address that the caller vouches for; addresses in the report are not linked. */
  reportUrl?: string;
  maxLines: number;
  open: number;
}

/** A report as blocks, worst first, no larger than the budget. */
export function compose(report: Report, options: ComposeOptions): Block[] {
  const elsewhere =
    safeUrl(options.reportUrl) === undefined ? 'in the full report' : 'in the full report below';
  const head: Block[] = [heading(3, ...headline(report)), ...serverTable(report)];
  const tail: Block[] = [...accept(report), footer(report, options)];
  const unchecked = notChecked(report);
  const findings = findingBlocks(report);
  const rest = options.budget - options.size([...head, ...tail, ...unchecked, ...findings]) - 1_000;
  const fitting = (style: ChangeStyle): Omit<FitOptions, 'budget'> => ({
    size: options.size,
    style,
    open: options.open,
    elsewhere,
  });
  const openSections = sectionsOf(report, false);
  const openBlocks =
    openSections.length === 0
      ? []
      : [
          heading(2, text('Not accepted: running servers against '), code(report.lockfile.path)),
          ...fitSections(openSections, {
            ...fitting({ before: 'reviewed', after: 'now', maxLines: options.maxLines }),
            budget: rest * 0.8,
          }),
        ];
  const acceptedSections = sectionsOf(report, true);
  const acceptedBlocks =
    acceptedSections.length === 0
      ? []
      : [
          heading(2, text('Accepted by this pull request: base lock against this lock')),
          ...fitSections(acceptedSections, {
            ...fitting({ before: 'before', after: 'after', maxLines: options.maxLines }),
            budget: rest - options.size(openBlocks),
          }),
        ];
  return [...head, ...openBlocks, ...acceptedBlocks, ...findings, ...unchecked, ...tail];
}

function sectionsOf(report: Report, accepted: boolean): Section[] {
  const keys = new Set(
    report.changes.filter((change) => change.accepted === accepted).map((change) => change.server),
  );
  return [...keys].map((key): Section => {
    const server = report.servers.find((one) => one.key === key);
    return { head: serverHead(key, server, accepted), units: unitsOf(report, key, accepted) };
  });
}

function serverHead(key: string, server: ServerReport | undefined, accepted: boolean): Block[] {
  const blocks: Block[] = [heading(3, name(key))];
  if (server === undefined) return blocks;
  const cause = accepted || server.status !== 'drift' ? undefined : causeSentence(server);
  const source = sourceInlines(server, accepted ? 'base' : 'locked');
  blocks.push(paragraph(...source, ...(cause === undefined ? [] : [text(' · '), name(cause)])));
  return blocks;
}

function findingBlocks(report: Report): Block[] {
  const shown = report.findings.filter((finding) => finding.suppressed === null);
  const suppressed = report.findings.filter((finding) => finding.suppressed !== null);
  const blocks: Block[] = [];
  if (shown.length > 0)
    blocks.push(heading(2, text('Findings')), {
      kind: 'table',
      columns: [{ title: 'severity' }, { title: 'where' }, { title: 'what' }, { title: 'text' }],
      rows: shown.slice(0, 40).map(findingRow),
    });
  if (shown.length > 40)
    blocks.push(paragraph(text(`${plural(shown.length - 40, 'more finding')} in the full report.`)));
  if (suppressed.length > 0)
    blocks.push(
      details(
        [strong(text(plural(suppressed.length, 'suppressed finding')))],
        [
          {
            kind: 'table',
            columns: [{ title: 'where' }, { title: 'what' }, { title: 'reason' }],
            rows: suppressed
              .slice(0, 40)
              .map((finding) => [
                whereInlines(finding),
                [code(finding.rule), text(' '), name(finding.message)],
                [name(finding.suppressed ?? '')],
              ]),
          },
        ],
      ),
    );
  return blocks;
}

function whereInlines(finding: ReportFinding): Inline[] {
  return [
    name(finding.server),
    text(' '),
    ...(finding.name === '' ? [text(KIND_WORDS[finding.kind]?.one ?? '')] : [code(finding.name)]),
    text(' '),
    ...(finding.pointer === '' ? [] : fieldInlines(finding.pointer)),
  ];
}

function findingRow(finding: ReportFinding): Inline[][] {
  return [
    [text(severityWords(finding.severity))],
    whereInlines(finding),
    [code(finding.rule), text(' '), name(finding.message)],
    [code(finding.evidence.slice(0, 200))],
  ];
}

function notChecked(report: Report): Block[] {
  const servers = report.servers.filter((server) => server.status === 'unchecked');
  if (servers.length === 0 && report.errors.length === 0) return [];
  const blocks: Block[] = [heading(2, text('Not checked'))];
  for (const error of report.errors.slice(0, 20))
    blocks.push(
      paragraph(
        code(error.code),
        text(' '),
        name(error.message),
        ...(error.file === undefined
          ? []
          : [text(' · '), code(error.line === undefined ? error.file : `${error.file}:${error.line}`)]),
      ),
    );
  for (const server of servers.slice(0, 20)) {
    blocks.push(
      paragraph(
        strong(name(server.key)),
        text(' · '),
        ...(server.error === undefined
          ? [text('not checked')]
          : [code(server.error.code), text(' '), name(server.error.message)]),
      ),
    );
    if (server.error?.stderr !== undefined && server.error.stderr !== '')
      blocks.push(
        details(
          [text('What it wrote to standard error')],
          [{ kind: 'fence', info: 'text', text: server.error.stderr.slice(-2_000) }],
        ),
      );
  }
  return blocks;
}

function accept(report: Report): Block[] {
  if (countsOf(report).changes === 0) return [];
  const keys = [
    ...new Set(report.changes.filter((change) => !change.accepted).map((change) => change.server)),
  ];
  const simple = keys.length <= 8 && keys.every((key) => /^[A-Za-z0-9][\w.:/-]*$/.test(key));
  return [
    paragraph(
      strong(text('To accept')),
      text(', run this, read what it shows, and commit the lock in this pull request:'),
    ),
    { kind: 'fence', info: 'sh', text: `npx @agentgate/agentgate lock${simple ? ` ${keys.join(' ')}` : ''}` },
  ];
}

function footer(report: Report, options: ComposeOptions): Block {
  const counts = countsOf(report);
  const isolations = [
    ...new Set(
      report.servers.flatMap((server) => (server.isolation === undefined ? [] : [server.isolation])),
    ),
  ];
  const hash = report.lockfile.sha256;
  return {
    kind: 'small',
    inlines: [
      text(
        `${plural(counts.servers, 'server')}, ${plural(counts.tools, 'tool')} in ${(report.durationMs / 1000).toFixed(1)} s`,
      ),
      ...(isolations.length === 0 ? [] : [text(' · isolation: '), name(isolations.slice(0, 3).join(', '))]),
      text(' · lock '),
      hash === null ? text('missing') : code(`sha256:${hash.replace(/^sha256:/, '').slice(0, 8)}`),
      ...(safeUrl(options.reportUrl) === undefined
        ? []
        : [text(' · '), { kind: 'link' as const, text: 'full report', url: options.reportUrl ?? '' }]),
    ],
  };
}
