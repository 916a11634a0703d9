import { worstOf } from './counts.ts';
import { type Block, type Inline, joined, name, paragraph, plural, strong, text } from './document.ts';
import type { Report, ServerReport } from './model.ts';
import type { ServerChanges } from './units.ts';
import { causeShort, severityWords, sourceInlines } from './words.ts';

/** Rows of a table that is still read; further servers are named below it. */
const ROWS = 25;
/** Servers that match are rows as long as the table stays this short. */
const SHORT = 6;
/** Names listed for each row that a table may have. */
const NAMES = 4;

const ORDER: Record<ServerReport['status'], number> = {
  drift: 0,
  new: 1,
  gone: 2,
  unchecked: 3,
  match: 5,
  skipped: 6,
};

/** One row a server: release, tools, result; what needs a look first. Quiet servers go to one line when many. */
export function serverTable(report: Report, changes: ServerChanges[], max: number): Block[] {
  if (report.servers.length === 0) return [];
  const tallies = new Map(changes.map((one) => [JSON.stringify([one.accepted, one.server]), tally(one)]));
  const none: Tally = { count: 0, words: '' };
  const info = new Map(
    report.servers.map(({ key }) => [
      key,
      {
        open: tallies.get(JSON.stringify([false, key])) ?? none,
        accepted: tallies.get(JSON.stringify([true, key])) ?? none,
      },
    ]),
  );
  const loud = (server: ServerReport): boolean =>
    (server.status !== 'match' && server.status !== 'skipped') ||
    (info.get(server.key)?.accepted.count ?? 0) > 0;
  const rank = (server: ServerReport): number =>
    ORDER[server.status] === 5 && loud(server) ? 4 : ORDER[server.status];
  const servers = [...report.servers].sort((a, b) => rank(a) - rank(b));
  const short = servers.length <= SHORT;
  const rows = servers.filter((server) => short || loud(server)).slice(0, Math.min(max, ROWS));
  const inTable = new Set(rows);
  const rest = servers.filter((server) => !inTable.has(server));
  const blocks: Block[] = [];
  if (rows.length > 0)
    blocks.push({
      kind: 'table',
      columns: [
        { title: 'server' },
        { title: 'release' },
        { title: 'tools', align: 'right' },
        { title: 'result' },
      ],
      rows: rows.map((server) => [
        loud(server) ? [strong(name(server.key))] : [name(server.key)],
        release(
          server,
          (info.get(server.key)?.open.count ?? 0) === 0 && (info.get(server.key)?.accepted.count ?? 0) > 0,
        ),
        [text(String(server.tools))],
        result(server, info.get(server.key)),
      ]),
    });
  for (const [status, words] of [
    ['drift', 'differ'],
    ['new', 'are new'],
    ['gone', 'are gone'],
    ['unchecked', 'were not checked'],
    ['match', 'match'],
    ['skipped', 'were skipped'],
  ] as const) {
    const those = rest.filter((server) => server.status === status);
    if (those.length === 0) continue;
    blocks.push(
      paragraph(
        text(
          `${plural(those.length, rows.length > 0 ? 'more server' : 'server')} ${
            those.length === 1
              ? words
                  .replace('are', 'is')
                  .replace('were', 'was')
                  .replace(/^match$/, 'matches')
                  .replace(/^differ$/, 'differs')
              : words
          }: `,
        ),
        ...joined(
          those.slice(0, max * NAMES).map((server) => [name(server.key)]),
          ', ',
        ),
        ...(those.length > max * NAMES ? [text(` and ${those.length - max * NAMES} more`)] : []),
      ),
    );
  }
  return blocks;
}

interface Tally {
  count: number;
  words: string;
}

function tally({ flat }: ServerChanges): Tally {
  const changes = flat.filter((change) => change.kind !== 'server' || change.change === 'changed');
  const of = (kind: string): number => changes.filter((change) => change.change === kind).length;
  const words = [
    [of('changed') + of('renamed'), 'changed'],
    [of('added'), 'added'],
    [of('removed'), 'removed'],
  ]
    .filter(([count]) => Number(count) > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
  const worst = worstOf(flat.map((change) => change.severity));
  return {
    count: changes.length,
    words: worst === undefined || words === '' ? words : `${words} · worst: ${severityWords(worst)}`,
  };
}

function release(server: ServerReport, accepted: boolean): Inline[] {
  const cause = causeShort(server);
  return [
    ...(server.status === 'new' ? [text('new · ')] : []),
    ...sourceInlines(server, accepted ? 'base' : 'locked'),
    ...(cause === undefined || server.status !== 'drift' ? [] : [text(`, ${cause}`)]),
  ];
}

function result(server: ServerReport, info: { open: Tally; accepted: Tally } | undefined): Inline[] {
  const open = info?.open.words ?? '';
  const accepted =
    info !== undefined && info.accepted.count > 0 ? `accepts here: ${info.accepted.words}` : '';
  switch (server.status) {
    case 'match':
      return accepted === '' ? [text('matches')] : [text(`matches · ${accepted}`)];
    case 'drift':
      return [strong(text(open === '' ? 'differs' : open)), text(accepted === '' ? '' : ` · ${accepted}`)];
    case 'new':
      return [strong(text('not in the lock'))];
    case 'gone':
      return [strong(text('in the lock, but not declared'))];
    case 'unchecked':
      return [strong(text('not checked')), text(open === '' ? '' : ` · ${open}`)];
    case 'skipped':
      return [text('skipped'), ...(server.reason === undefined ? [] : [text(': '), name(server.reason)])];
  }
}
