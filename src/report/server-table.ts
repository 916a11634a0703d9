import { type SeverityName, worstOf } from './counts.ts';
import { type Block, type Inline, joined, name, paragraph, plural, strong, text } from './document.ts';
import type { Report, ServerReport } from './model.ts';
import { causeShort, sourceInlines } from './release-words.ts';
import type { ServerChanges } from './units.ts';
import { severityWords } from './words.ts';

/** Rows of a table that is still read; further servers are named below it. */
export const ROWS = 25;
/** Servers that match are rows as long as the table stays this short. */
const SHORT = 6;
/** Names listed for each row that a table may have. */
const NAMES = 4;

type Status = ServerReport['status'];

const ORDER: Record<Status, number> = { drift: 0, new: 1, gone: 2, unchecked: 3, match: 5, skipped: 6 };

/** For servers that are only named: `1 more server matches`, `4 more servers match`. */
const REST: Record<Status, [one: string, many: string]> = {
  drift: ['differs', 'differ'],
  new: ['is new', 'are new'],
  gone: ['is gone', 'are gone'],
  unchecked: ['was not checked', 'were not checked'],
  match: ['matches', 'match'],
  skipped: ['was skipped', 'were skipped'],
};

/** A server with what the two parts say of it. */
interface Row {
  server: ServerReport;
  open: Tally;
  accepted: Tally;
}

interface Tally {
  /** `3 changed, 1 added`; empty when nothing is. */
  words: string;
  worst: SeverityName | undefined;
  /** The server itself is new in this part. */
  isNew: boolean;
}

/**
 * One row a server: release, tools, result, and what the pull request accepts of it where it accepts anything; what
 * needs a look first. Beyond `max` rows, and where many servers match, the rest is named in a line.
 */
export function serverTable(report: Report, changes: ServerChanges[], max: number): Block[] {
  if (report.servers.length === 0) return [];
  const tallies = new Map(changes.map((one) => [JSON.stringify([one.accepted, one.server]), tally(one)]));
  const none: Tally = { words: '', worst: undefined, isNew: false };
  const of = (accepted: boolean, key: string): Tally => tallies.get(JSON.stringify([accepted, key])) ?? none;
  const all = report.servers
    .map((server): Row => ({ server, open: of(false, server.key), accepted: of(true, server.key) }))
    .sort((a, b) => rank(a) - rank(b));
  const short = all.length <= SHORT;
  const rows = all.filter((row) => short || isLoud(row)).slice(0, Math.min(max, ROWS));
  const shown = new Set(rows);
  const rest = all.filter((row) => !shown.has(row));
  const accepts = rows.some((row) => row.accepted.worst !== undefined);
  const blocks: Block[] = [];
  if (rows.length > 0)
    blocks.push({
      kind: 'table',
      columns: [
        { title: 'server' },
        { title: 'release' },
        { title: 'tools', align: 'right' },
        { title: 'result' },
        ...(accepts ? [{ title: 'this pull request accepts' }] : []),
      ],
      rows: rows.map((row) => [
        [isLoud(row) ? strong(name(row.server.key)) : name(row.server.key)],
        release(row),
        [text(toolsWords(row.server))],
        result(row),
        ...(accepts ? [[text(tallyWords(row.accepted))]] : []),
      ]),
    });
  for (const status of Object.keys(ORDER) as Status[]) {
    const those = rest.filter((row) => row.server.status === status);
    if (those.length > 0) blocks.push(restLine(status, those, rows.length > 0, max * NAMES));
  }
  return blocks;
}

/** How much a server shows; a skills folder holds skills. Nothing of one that nobody has listed yet. */
export function toolsWords(server: ServerReport): string {
  if (isUnknown(server)) return '';
  return server.transport === 'skills' ? plural(server.skills ?? 0, 'skill') : String(server.tools);
}

/** Neither checked nor pinned. */
export function isUnknown({ status, tools, lockedSource }: ServerReport): boolean {
  return status === 'unchecked' && tools === 0 && lockedSource === undefined;
}

function restLine(status: Status, rows: Row[], more: boolean, max: number): Block {
  const count = plural(rows.length, more ? 'more server' : 'server');
  return paragraph(
    text(`${count} ${REST[status][rows.length === 1 ? 0 : 1]}: `),
    ...joined(
      rows.slice(0, max).map((row) => [name(row.server.key)]),
      ', ',
    ),
    ...(rows.length > max ? [text(` and ${rows.length - max} more`)] : []),
  );
}

function isLoud({ server, accepted }: Row): boolean {
  const quiet =
    server.status === 'match' || (server.status === 'skipped' && server.switchedOff === undefined);
  return !quiet || accepted.worst !== undefined;
}

function rank(row: Row): number {
  const { status } = row.server;
  return (status === 'match' || status === 'skipped') && isLoud(row) ? 4 : ORDER[status];
}

function tally({ flat }: ServerChanges): Tally {
  const counted = flat.filter((change) => change.kind !== 'server' || change.change === 'changed');
  const of = (...kinds: string[]): number => counted.filter((change) => kinds.includes(change.change)).length;
  const words = [
    [of('changed', 'renamed'), 'changed'],
    [of('added'), 'added'],
    [of('removed'), 'removed'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
  return {
    words,
    worst: worstOf(flat.map((change) => change.severity)),
    isNew: flat.some((change) => change.kind === 'server' && change.change === 'added'),
  };
}

function tallyWords({ words, worst, isNew }: Tally): string {
  const what = isNew ? `a new server${words === '' ? '' : `: ${words}`}` : words;
  if (worst === undefined) return what;
  return what === '' ? severityWords(worst) : `${what} · worst: ${severityWords(worst)}`;
}

function release({ server, open, accepted }: Row): Inline[] {
  const cause = causeShort(server);
  const onlyAccepted = open.worst === undefined && accepted.worst !== undefined;
  return [
    ...(open.isNew || (onlyAccepted && accepted.isNew) ? [text('new · ')] : []),
    ...sourceInlines(server, onlyAccepted ? 'base' : 'locked'),
    ...(cause === undefined || server.status !== 'drift' ? [] : [text(`, ${cause}`)]),
  ];
}

function result({ server, open }: Row): Inline[] {
  const words = tallyWords({ ...open, isNew: false });
  switch (server.status) {
    case 'match':
      return [text('matches')];
    case 'drift':
      return [strong(text(words === '' ? 'differs' : words))];
    case 'new':
      return [strong(text('not in the lock'))];
    case 'gone':
      return [strong(text('in the lock, but not declared'))];
    case 'unchecked':
      return [strong(text('not checked')), text(words === '' ? '' : ` · ${words}`)];
    case 'skipped':
      return [text('skipped'), ...(server.reason === undefined ? [] : [text(': '), name(server.reason)])];
  }
}
