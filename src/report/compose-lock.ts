import { footerBlock, infoBlocks } from './closing-blocks.ts';
import type { ComposeOptions } from './compose.ts';
import { type Block, code, heading, type Inline, joined, name, paragraph, plural, text } from './document.ts';
import { findingBlocks } from './finding-blocks.ts';
import { firstLook } from './first-look.ts';
import { type Fitted, fitSections } from './fit.ts';
import { headline } from './headline.ts';
import { LOCK_ORDER, lockStatus, statusWords } from './lock-words.ts';
import type { Report, ReportFinding, ServerReport } from './model.ts';
import { causeSentence, idOf, sourceInlines } from './release-words.ts';
import type { Section } from './section-blocks.ts';
import { isUnknown, toolsWords } from './server-table.ts';
import { diffsOf } from './text-diff.ts';
import { uncheckedBlocks } from './unchecked-blocks.ts';
import { changesByServer, findingsIndex, findingsOf, type ServerChanges, unitsOf } from './units.ts';

/**
 * A report of `lock`, or of `diff` over two files, as blocks: how each server stands, what could not be pinned, then what
 * changes of what is pinned, what is dropped, and all that a new server tells the model.
 */
export function composeLock(report: Report, options: ComposeOptions, share: number): Block[] {
  const purpose = report.purpose ?? 'lock';
  const byKey = new Map(report.servers.map((server) => [server.key, server]));
  const findings = findingsIndex(report);
  const servers = changesByServer(report, findings);
  const diffs = { diffs: diffsOf(report), width: options.width };
  const isNew = (server: ServerChanges): boolean =>
    server.changes.some((change) => change.kind === 'server' && change.change === 'added');
  const fresh = servers.filter(isNew);
  const changed = servers.filter((server) => !isNew(server));
  // That a new server is new needs no alarm here, and nothing here is accepted by a pull request.
  const alarming = servers.map((server) => ({
    ...server,
    flat: server.flat
      .filter((change) => !isNew(server) || findingsOf(change, findings).length > 0)
      .map((change) => ({ ...change, accepted: false })),
  }));
  const look = firstLook(report, alarming, findings, diffs);
  const others = findingsIndex(report, look.named);
  const head: Block[] = [
    heading(3, ...headline(report)),
    ...look.blocks,
    ...lockTable(report, servers, options.rows),
    ...uncheckedBlocks(report, options.rows),
  ];
  const tail = (told: ReadonlySet<ReportFinding>): Block[] => [
    ...findingBlocks(report, options.rows, told),
    ...infoBlocks(report, options.rows),
    footerBlock(report, options.reportUrl),
  ];
  const room = share * Math.max(0, options.budget - options.size(head) - options.size(tail(new Set())) - 200);
  const draw = (title: string, these: ServerChanges[], budget: number): Fitted => {
    if (these.length === 0) return { blocks: [], whole: [] };
    const top = heading(2, text(title));
    const sections = these.map(
      (server): Section => ({
        server: server.server,
        head: serverHead(server, byKey.get(server.server), isNew(server), purpose),
        units: ownUnits(unitsOf(server, isNew(server) ? findings : others), isNew(server)),
      }),
    );
    const { blocks, whole } = fitSections(sections, {
      size: options.size,
      budget: budget - options.size([top]),
      open: options.open,
      elsewhere: 'with --format json',
      style: {
        before: purpose === 'lock' ? 'pinned' : 'old',
        after: purpose === 'lock' ? 'now' : 'new',
        maxLines: options.maxLines,
        ...diffs,
        pins: new Set(fresh.map((server) => server.server)),
      },
    });
    return { blocks: [top, ...blocks], whole };
  };
  const lock = purpose === 'lock';
  const budget = fresh.length > 0 ? room * 0.7 : room;
  const changes = draw(lock ? 'What this changes' : 'What differs', changed, budget);
  const left = room - options.size(changes.blocks);
  const pins = draw(lock ? 'What this pins' : 'Only in the new lock', fresh, left);
  const told = [...changes.whole, ...pins.whole].flatMap((unit) => unit.named);
  return [...head, ...changes.blocks, ...pins.blocks, ...tail(new Set([...look.named, ...told]))];
}

/** Without what the heading says; those of a new server in their own order: launch, instructions, capabilities. */
function ownUnits(units: Section['units'], isNew: boolean): Section['units'] {
  const rank = (unit: Section['units'][number]): number => {
    const kind = unit.about[0]?.kind;
    return kind === 'server' ? 0 : kind === 'instructions' ? 1 : 2;
  };
  if (isNew) return [...units].sort((a, b) => rank(a) - rank(b));
  return units.filter(({ about }) => about[0]?.kind !== 'server' || about[0].change !== 'removed');
}

function serverHead(
  changes: ServerChanges,
  server: ServerReport | undefined,
  isNew: boolean,
  purpose: 'lock' | 'diff',
): Block[] {
  const gone = server?.status === 'gone';
  const suffix =
    purpose === 'diff' || (!isNew && !gone)
      ? ''
      : isNew
        ? server?.transport === 'skills'
          ? ' · new'
          : ' · new server'
        : ' · no longer declared, so its entry goes';
  const title = heading(3, name(changes.server), ...(suffix === '' ? [] : [text(suffix)]));
  if (server === undefined || gone || server.transport === 'skills') return [title];
  const cause = isNew ? undefined : causeSentence(server);
  if (cause !== undefined) return [title, paragraph(name(cause))];
  const source = server.source ?? server.lockedSource;
  const id = source?.package === undefined ? '' : idOf(source);
  const line: Inline[] = [...(id === '' ? [] : [code(id), text(' · ')]), ...sourceInlines(server, 'locked')];
  return [title, paragraph(...line)];
}

/** Rows of a table that is still read. */
const ROWS = 40;

function lockTable(report: Report, changes: ServerChanges[], max: number): Block[] {
  const purpose = report.purpose ?? 'lock';
  const all = [...report.servers].sort(
    (a, b) => LOCK_ORDER.indexOf(lockStatus(a)) - LOCK_ORDER.indexOf(lockStatus(b)),
  );
  if (all.length === 0) return [];
  const rows = all.slice(0, Math.min(max, ROWS));
  const rest = all.slice(rows.length);
  const counts = new Map(changes.map((one) => [one.server, one.flat.length]));
  const table: Block = {
    kind: 'table',
    columns: [
      { title: 'server' },
      { title: 'release' },
      { title: 'tools', align: 'right' },
      { title: purpose === 'lock' ? 'in the lock' : 'result' },
    ],
    rows: rows.map((server) => [
      [name(server.key)],
      sourceInlines(server, 'locked'),
      [text(toolsWords(server))],
      standing(server, counts.get(server.key) ?? 0, purpose),
    ]),
  };
  if (rest.length === 0) return [table];
  const told = rest.slice(0, max * 4);
  return [
    table,
    paragraph(
      text(`${plural(rest.length, 'more server')}: `),
      ...joined(
        told.map((server) => [name(server.key), text(` (${statusWords(purpose, lockStatus(server)).cell})`)]),
        ', ',
      ),
      text(rest.length > told.length ? ` and ${rest.length - told.length} more` : ''),
    ),
  ];
}

function standing(server: ServerReport, count: number, purpose: 'lock' | 'diff'): Inline[] {
  const status = lockStatus(server);
  const words = statusWords(purpose, status).cell;
  if (status === 'changed') return [text(plural(count, 'change'))];
  if (status === 'skipped' && server.reason !== undefined) return [text('skipped: '), name(server.reason)];
  if (status === 'kept') return [text(`${words}, ${isUnknown(server) ? 'not pinned' : 'entry stays'}`)];
  return [text(words)];
}
