import { footerBlock, infoBlocks } from './closing-blocks.ts';
import type { ComposeOptions } from './compose.ts';
import { type Block, code, heading, type Inline, joined, name, paragraph, plural, text } from './document.ts';
import { findingBlocks } from './finding-blocks.ts';
import { firstLook } from './first-look.ts';
import { fitSections } from './fit.ts';
import { headline } from './headline.ts';
import { type LockStatus, lockStatus } from './lock-words.ts';
import type { Report, ServerReport } from './model.ts';
import { causeSentence, idOf, sourceInlines } from './release-words.ts';
import type { Section } from './section-blocks.ts';
import { diffBudget } from './text-diff.ts';
import { uncheckedBlocks } from './unchecked-blocks.ts';
import { changesByServer, findingsIndex, findingsOf, type ServerChanges, unitsOf } from './units.ts';

/**
 * A report of `lock` as blocks: what the new lock does to each server, what could not be pinned, then what changes of
 * what is pinned, what is dropped, and all that a new server tells the model.
 */
export function composeLock(report: Report, options: ComposeOptions, share: number): Block[] {
  const byKey = new Map(report.servers.map((server) => [server.key, server]));
  const findings = findingsIndex(report);
  const servers = changesByServer(report, findings);
  const diffs = diffBudget();
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
  const head: Block[] = [
    heading(3, ...headline(report)),
    ...(look === undefined ? [] : [look]),
    ...lockTable(report, servers, options.rows),
    ...uncheckedBlocks(report, options.rows),
  ];
  const tail: Block[] = [
    ...findingBlocks(report, options.rows),
    ...infoBlocks(report, options.rows),
    footerBlock(report, options.reportUrl),
  ];
  const room = share * Math.max(0, options.budget - options.size(head) - options.size(tail) - 200);
  const draw = (title: string, these: ServerChanges[], budget: number): Block[] => {
    if (these.length === 0) return [];
    const top = heading(2, text(title));
    const sections = these.map(
      (server): Section => ({
        head: serverHead(server, byKey.get(server.server), isNew(server)),
        units: launchFirst(unitsOf(server, findings), isNew(server)),
      }),
    );
    return [
      top,
      ...fitSections(sections, {
        size: options.size,
        budget: budget - options.size([top]),
        open: options.open,
        elsewhere: 'with --format json',
        style: {
          before: 'pinned',
          after: 'now',
          maxLines: options.maxLines,
          diffs,
          pins: new Set(fresh.map((server) => server.server)),
        },
      }),
    ];
  };
  const changes = draw('What this changes', changed, fresh.length > 0 ? room * 0.7 : room);
  return [...head, ...changes, ...draw('What this pins', fresh, room - options.size(changes)), ...tail];
}

/** The order of the units of a new server is its own: launch, instructions, capabilities. */
function launchFirst(units: Section['units'], isNew: boolean): Section['units'] {
  if (!isNew) return units;
  const rank = (unit: Section['units'][number]): number => {
    const kind = unit.about[0]?.kind;
    return kind === 'server' ? 0 : kind === 'instructions' ? 1 : 2;
  };
  return [...units].sort((a, b) => rank(a) - rank(b));
}

function serverHead(changes: ServerChanges, server: ServerReport | undefined, isNew: boolean): Block[] {
  const gone = server?.status === 'gone';
  const title = heading(
    3,
    name(changes.server),
    ...(isNew ? [text(' · new server')] : gone ? [text(' · no longer declared, so its entry goes')] : []),
  );
  if (server === undefined) return [title];
  const cause = isNew || gone ? undefined : causeSentence(server);
  if (cause !== undefined) return [title, paragraph(name(cause))];
  const source = server.source ?? server.lockedSource;
  const id = source?.package === undefined ? '' : idOf(source);
  const line: Inline[] = [...(id === '' ? [] : [code(id), text(' · ')]), ...sourceInlines(server, 'locked')];
  return gone ? [title] : [title, paragraph(...line)];
}

const WORDS: Record<LockStatus, string> = {
  new: 'new',
  changed: 'changed',
  same: 'as pinned',
  dropped: 'dropped: no longer declared',
  kept: 'could not be checked',
  skipped: 'skipped',
};

/** Rows of a table that is still read. */
const ROWS = 40;

function lockTable(report: Report, changes: ServerChanges[], max: number): Block[] {
  const order: LockStatus[] = ['changed', 'dropped', 'new', 'kept', 'skipped', 'same'];
  const all = [...report.servers].sort((a, b) => order.indexOf(lockStatus(a)) - order.indexOf(lockStatus(b)));
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
      { title: 'in the lock' },
    ],
    rows: rows.map((server) => [
      [name(server.key)],
      sourceInlines(server, 'locked'),
      [text(server.status === 'unchecked' && server.lockedSource === undefined ? '' : String(server.tools))],
      inTheLock(server, counts.get(server.key) ?? 0),
    ]),
  };
  if (rest.length === 0) return [table];
  return [
    table,
    paragraph(
      text(`${plural(rest.length, 'more server')}: `),
      ...joined(
        rest.slice(0, max * 4).map((server) => [name(server.key), text(` (${WORDS[lockStatus(server)]})`)]),
        ', ',
      ),
      text(rest.length > max * 4 ? ` and ${rest.length - max * 4} more` : ''),
    ),
  ];
}

function inTheLock(server: ServerReport, count: number): Inline[] {
  const status = lockStatus(server);
  if (status === 'changed') return [text(plural(count, 'change'))];
  if (status === 'skipped' && server.reason !== undefined) return [text('skipped: '), name(server.reason)];
  if (status === 'kept')
    return [text(`${WORDS.kept}, ${server.lockedSource === undefined ? 'not pinned' : 'entry stays'}`)];
  return [text(WORDS[status])];
}
