import { acceptBlocks, footerBlock, infoBlocks } from './closing-blocks.ts';
import { composeLock } from './compose-lock.ts';
import { type Block, code, heading, type Inline, name, paragraph, text } from './document.ts';
import { findingBlocks } from './finding-blocks.ts';
import { firstLook } from './first-look.ts';
import { fitSections } from './fit.ts';
import { headline } from './headline.ts';
import { safeUrl } from './markdown-escape.ts';
import type { Report, ReportFinding, ServerReport } from './model.ts';
import { causeSentence, idOf, sourceInlines } from './release-words.ts';
import type { Section } from './section-blocks.ts';
import { serverTable } from './server-table.ts';
import { diffsOf } from './text-diff.ts';
import { uncheckedBlocks } from './unchecked-blocks.ts';
import { changesByServer, findingsIndex, type ServerChanges, unitsOf } from './units.ts';

export interface ComposeOptions {
  /** Room for all blocks, in what `size` counts. */
  budget: number;
  size(blocks: Block[]): number;
  /** An address that the caller vouches for; addresses in the report are never linked. */
  reportUrl?: string;
  /** Longest fence, in lines. */
  maxLines: number;
  /** Columns of a text in a fence, its sign not counted; what a comment shows without scrolling when absent. */
  width?: number;
  /** Changes of severity medium that stand open for each server. */
  open: number;
  /** Rows of findings, errors, notes and servers. */
  rows: number;
}

/**
 * A report as blocks, worst first: the verdict, the worst changes with their words, the servers, what was not
 * checked, what is not accepted, what the pull request accepts, findings, how to accept. Fits the budget by showing
 * less of what is less bad: whole changes, then fields, then names, then counts.
 */
export function compose(report: Report, options: ComposeOptions): Block[] {
  // A report with ten thousand servers or names of a kilobyte needs shorter lists.
  for (const [rows, share] of [
    [options.rows, 1],
    [12, 0.8],
    [3, 0.5],
  ] as const) {
    const draw = report.purpose !== undefined ? composeLock : composeWith;
    const blocks = draw(report, { ...options, rows: Math.min(rows, options.rows) }, share);
    if (options.size(blocks) <= options.budget) return blocks;
  }
  return [
    heading(3, ...headline(report)),
    paragraph(text('This report is too large to be shown here; read the full report.')),
    footerBlock(report, options.reportUrl),
  ];
}

function composeWith(report: Report, options: ComposeOptions, share: number): Block[] {
  const byKey = new Map(report.servers.map((server) => [server.key, server]));
  const findings = findingsIndex(report);
  const servers = changesByServer(report, findings);
  const diffs = { diffs: diffsOf(report), width: options.width };
  const look = firstLook(report, servers, findings, diffs);
  const open = servers.filter((server) => !server.accepted);
  const accepted = servers.filter((server) => server.accepted);
  const head: Block[] = [
    heading(3, ...headline(report)),
    ...(report.verdict === 'clean' && accepted.length > 0
      ? [paragraph(text('Approving this pull request means that agents may be told what is marked + below.'))]
      : []),
    ...(look === undefined ? [] : [look]),
    ...serverTable(report, servers, options.rows),
    ...uncheckedBlocks(report, options.rows),
  ];
  const tail: Block[] = [
    ...findingBlocks(report, options.rows),
    ...acceptBlocks(report),
    ...infoBlocks(report, options.rows),
    footerBlock(report, options.reportUrl),
  ];
  const room = share * Math.max(0, options.budget - options.size(head) - options.size(tail) - 200);
  const fitting = {
    size: options.size,
    open: options.open,
    elsewhere:
      safeUrl(options.reportUrl) === undefined ? 'in the full report' : 'in the full report linked below',
  };
  const openBlocks = part(
    [text('Not accepted: running servers against '), code(report.lockfile.path)],
    open.map((server) => section(byKey.get(server.server), server, findings)),
    {
      ...fitting,
      style: { before: 'reviewed', after: 'now', maxLines: options.maxLines, ...diffs },
      budget: accepted.length > 0 ? room * 0.7 : room,
    },
  );
  const acceptedBlocks = part(
    [text('Accepted by this pull request: base lock against this lock')],
    accepted.map((server) => section(byKey.get(server.server), server, findings)),
    {
      ...fitting,
      style: { before: 'before', after: 'after', maxLines: options.maxLines, ...diffs },
      budget: room - options.size(openBlocks),
    },
  );
  return [...head, ...openBlocks, ...acceptedBlocks, ...tail];
}

function part(title: Inline[], sections: Section[], options: Parameters<typeof fitSections>[1]): Block[] {
  if (sections.length === 0) return [];
  const head = heading(2, ...title);
  return [head, ...fitSections(sections, { ...options, budget: options.budget - options.size([head]) })];
}

function section(
  server: ServerReport | undefined,
  changes: ServerChanges,
  findings: Map<string, ReportFinding[]>,
): Section {
  return { head: serverHead(changes, server), units: unitsOf(changes, findings) };
}

function serverHead(changes: ServerChanges, server: ServerReport | undefined): Block[] {
  const { server: key, accepted } = changes;
  const isNew = changes.changes.some((change) => change.kind === 'server' && change.change === 'added');
  const blocks: Block[] = [heading(3, name(key), ...(isNew ? [text(' · new server')] : []))];
  if (server === undefined) return blocks;
  const cause = accepted || server.status !== 'drift' ? undefined : causeSentence(server);
  const source = server.source ?? server.lockedSource;
  const id = source === undefined ? '' : idOf(source);
  const release = sourceInlines(server, accepted ? 'base' : 'locked');
  const line: Inline[] =
    cause !== undefined && server.causeText !== undefined
      ? [name(cause)]
      : [
          ...(id === '' || source?.package === undefined ? [] : [code(id), text(' · ')]),
          ...release,
          ...(cause === undefined ? [] : [text(' · '), name(cause)]),
        ];
  blocks.push(paragraph(...line));
  if (server.hashOnly === true)
    blocks.push(
      paragraph(
        text(
          'The lock holds only hashes of this server, so the reviewed words cannot be shown. The next lock keeps them, and full diffs with it.',
        ),
      ),
    );
  return blocks;
}
