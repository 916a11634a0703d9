import { type Block, heading, name, text } from './document.ts';
import type { Report } from './model.ts';

/** How each server was run and what took how long, for `--verbose`; slowest first. Empty when nothing was started. */
export function timeBlocks(report: Report): Block[] {
  const total = (server: Report['servers'][number]): number =>
    (server.installMs ?? 0) + (server.startMs ?? 0) + (server.listMs ?? 0);
  const started = report.servers.filter((server) => total(server) > 0);
  if (started.length === 0) return [];
  const seconds = (ms: number | undefined): string => (ms === undefined ? '' : (ms / 1000).toFixed(2));
  return [
    heading(2, text('Times, in seconds')),
    {
      kind: 'table',
      columns: [
        { title: 'server' },
        { title: 'fetch', align: 'right' },
        { title: 'start', align: 'right' },
        { title: 'list', align: 'right' },
        { title: 'transport' },
        { title: 'protocol' },
        { title: 'isolation' },
      ],
      rows: [...started]
        .sort((a, b) => total(b) - total(a))
        .slice(0, 500)
        .map((server) => [
          [name(server.key)],
          [text(seconds(server.installMs))],
          [text(seconds(server.startMs))],
          [text(seconds(server.listMs))],
          [name(server.transport ?? '')],
          [name(server.protocolVersion ?? '')],
          [name(server.isolation ?? '')],
        ]),
    },
  ];
}
