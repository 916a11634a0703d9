import { catcherIn } from '../matchers/exfiltration.ts';
import type { PlaceHit, UiRule } from '../rule.ts';
import type { UiPage } from '../ui-body.ts';

const ORIGIN = `(?:https?:|wss?:)?//[^\\s"'\`<>)\\\\]{3,400}`;
const LOADS = [
  `<(?:script|iframe|frame|embed)\\b[^>]{0,2000}?\\ssrc\\s{0,4}=\\s{0,4}["']?(${ORIGIN})`,
  `<(?:object)\\b[^>]{0,2000}?\\sdata\\s{0,4}=\\s{0,4}["']?(${ORIGIN})`,
  `<base\\b[^>]{0,2000}?\\shref\\s{0,4}=\\s{0,4}["']?(${ORIGIN})`,
  `(?<![\\w$.])(?:import|importScripts)\\s{0,4}\\(?\\s{0,4}["'\`](${ORIGIN})`,
  `(?<![\\w$.])(?:import|export)\\b[^"'\`;()<>]{0,400}?\\sfrom\\s{0,4}["'\`](${ORIGIN})`,
  `\\bnew\\s{1,4}(?:Shared)?Worker\\s{0,4}\\(\\s{0,4}["'\`](${ORIGIN})`,
];
const SENDS = [
  `(?<![\\w$])(?:fetch|sendBeacon|EventSource|WebSocket)\\s{0,4}\\(\\s{0,4}["'\`](${ORIGIN})`,
  `\\.open\\s{0,4}\\(\\s{0,4}["'\`](?:GET|POST|PUT|PATCH|DELETE)["'\`]\\s{0,4},\\s{0,4}["'\`](${ORIGIN})`,
  `<form\\b[^>]{0,2000}?\\saction\\s{0,4}=\\s{0,4}["']?(${ORIGIN})`,
  `(?<![\\w$])axios(?:\\.\\w{2,8})?\\s{0,4}\\(\\s{0,4}["'\`](${ORIGIN})`,
  `\\.src\\s{0,4}=\\s{0,4}["'\`](${ORIGIN})["'\`]?\\s{0,4}\\+`,
  `\\.src\\s{0,4}=\\s{0,4}\`(${ORIGIN})`,
];

/** AG-TP: what the page of a UI resource does besides showing itself. */
export const UI_RULES: readonly UiRule[] = [
  {
    id: 'AG-TP-040',
    on: 'ui',
    title: 'Page loads code from elsewhere',
    severity: 'low',
    what: 'A script, frame, worker or module of another host in the page of a UI resource, or a page that is only an address.',
    why: 'The lock pins the page, not what it loads: that can change without a change here.',
    example: '<script src="https://cdn.example/lib.js"></script>',
    fix: 'Ask the author to put it into the page. A host may block it: see `_meta.ui.csp`.',
    match: loadsCode,
  },
  {
    id: 'AG-TP-041',
    on: 'ui',
    title: 'Page sends to a fixed address',
    severity: 'low',
    what: 'A request, socket or form of the page to an address that stands in it. High for a service made to capture what is sent.',
    why: 'A page gets the tool’s results and what the user types; what it sends goes past the client.',
    example: "fetch('https://stats.example/collect', { method: 'POST', body })",
    fix: 'Know what is sent and to whom. A host may block it: see `_meta.ui.csp`.',
    match: sendsOn,
  },
];

function loadsCode(page: UiPage): PlaceHit[] {
  if (page.mimeType.includes('uri-list')) {
    const [address] = /^[^\s#]\S{3,2000}/m.exec(page.text) ?? [];
    return address === undefined ? [] : [placed(page, address, 'is only the address of a page')];
  }
  return places(page, LOADS, 'loads code from');
}

function sendsOn(page: UiPage): PlaceHit[] {
  const caught = catcherIn(page.text.toLowerCase());
  if (caught !== undefined)
    return [
      { ...placed(page, caught, 'names a service that captures what is sent to it'), severity: 'high' },
    ];
  return places(page, SENDS, 'sends to');
}

const LOCAL =
  /^(?:https?:|wss?:)?\/\/(?:localhost|127\.0\.0\.1|\[::1\]|example\.(?:com|org|net)|[^/]{0,200}\.example)(?:[:/?#]|$)/i;
/** Hosts that are named; more of the same says nothing new. */
const MAX_HOSTS = 3;

/** One hit for all places, at the first of them. */
function places(page: UiPage, patterns: readonly string[], verb: string): PlaceHit[] {
  const hosts = new Map<string, RegExpExecArray>();
  for (const pattern of patterns) {
    for (const match of page.text.matchAll(new RegExp(pattern, 'gi'))) {
      const address = match[1] ?? '';
      const host = /\/\/([^/?#]{1,100})/.exec(address)?.[1] ?? '';
      if (!LOCAL.test(address) && !hosts.has(host)) hosts.set(host, match);
    }
  }
  const [first] = hosts.values();
  if (first === undefined) return [];
  const more = hosts.size > MAX_HOSTS ? ` and ${hosts.size - MAX_HOSTS} more` : '';
  const named = [...hosts.keys()].slice(0, MAX_HOSTS).join(', ');
  return [placed(page, first[0], `${verb} ${named}${more}`, first.index)];
}

function placed({ pointer, text }: UiPage, found: string, message: string, at?: number): PlaceHit {
  const start = at ?? Math.max(0, text.toLowerCase().indexOf(found.toLowerCase()));
  return { pointer, shown: text, start, end: start + found.length, message };
}
