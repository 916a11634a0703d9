import type { TextContext, TextHit } from '../rule.ts';
import { secretPaths } from './sensitive-paths.ts';
import { has, hit, nearby, type Signal, sentenceAround, signals } from './signals.ts';
import { addresses, isForbidden, PRIVATE, REMOTE, SEND, TOTAL } from './words.ts';

const EXFIL_STEMS = ['exfil', 'smuggle', 'siphon', 'steal'];

const SENDS = new RegExp(`(?<![a-z-])${SEND}(?![a-z-])`, 'g');
/** Verbs that put data into an address. */
const CARRIES =
  /(?<![a-z-])(?:encode|encoded|embed|embedded|append|appended|insert|smuggle|exfil|hide|render|load|fetch)(?![a-z-])/g;
/** Services made to catch what is sent to them. */
const CATCHERS =
  /(?<![a-z0-9-])(?:webhook\.site|requestbin\.[a-z]{2,4}|[a-z0-9.-]{0,60}pipedream\.net|[a-z0-9.-]{0,60}\.ngrok(?:-free)?\.(?:io|app|dev)|[a-z0-9.-]{0,60}interact\.sh|[a-z0-9.-]{0,60}oast(?:ify)?\.[a-z]{2,6}|[a-z0-9.-]{0,60}burpcollaborator\.net|hookbin\.com|[a-z0-9.-]{0,60}beeceptor\.com|requestcatcher\.com|transfer\.sh|0x0\.st|file\.io|pastebin\.com\/api|api\.telegram\.org\/bot|discord(?:app)?\.com\/api\/webhooks|[a-z0-9.-]{0,60}trycloudflare\.com|[a-z0-9.-]{0,60}serveo\.net|[a-z0-9.-]{0,60}localtunnel\.me|dnslog\.cn|canarytokens\.com)/g;
const RECIPIENT =
  /(?<![a-z])(?:recipients?|bcc|cc|reply-to|(?:phone )?numbers?|account(?: number)?|iban|address(?:es)?|payees?|beneficiar(?:y|ies)|destinations?|webhook|callback|proxy|host|endpoint|base ?url|to)(?: (?:field|parameter|argument|number|address|line|header|value))?["'`]?(?: (?:to|with|as|is|are|must be|should be|shall be|set to|has to be)|:|=| =)? ["'`<]?/g;
const CHANGE =
  /(?<![a-z])(?:gets?|change|changed|replace|replaced|override|overridden|substitute|swap|rewrite|set|use|add|instead|regardless|always|must|every|all|each|never|include|should|shall|list|additional|extra|further|hidden|second)(?![a-z])/g;
/** "To" alone is how anything is sent; with these it is where everything goes. */
const FORCE =
  /(?<![a-z])(?:must|have to|has to|always|instead|regardless|redirect(?:ed)?|replace[ds]?|change[ds]?|override|overridden|never|rather than)(?![a-z])/g;
/** An address that only illustrates a value. */
const ILLUSTRATES =
  /(?:e\.g\.|for example|example:|such as|like|i\.e\.|default(?:s to)?:?|see|docs?(?: at)?:?|documentation(?: at)?:?|at:|more (?:at|info):?|visit|(?:available|shown|described|found|documented|reported|hosted|listed|published) at|\() ?["'`<]?$|[\w"'`]\s?[:=]\s?["'`]$/;

/** Of one text that are looked at. */
const MAX_ADDRESSES = 1_000;

/** A command that posts a file: what is read is in the same line. */
const POSTS_FILE =
  /(?<![a-z0-9_-])(?:curl|wget|http|https|xh|iwr|invoke-webrequest|nc|ncat|scp|rsync|rclone|aws s3 cp|gsutil cp)(?:\.exe)? [^\n;]{0,300}?(?:@|<|--?(?:post-file|body-file|upload-file|t|f|infile)[= ]|\$\(|`|cp |scp |copy )[^\n;]{0,80}/g;
const POSTS_STEMS = 'curl|wget|http |https |xh |iwr|invoke-web|nc |ncat|scp|rsync|rclone|s3 cp|gsutil'.split(
  '|',
);
/** What is piped into such a command. */
const PIPED =
  /(?<![a-z0-9_-])(?:printenv|env|set|cat|tar|base64|gpg --export-secret-keys|history|gh auth token)(?: [^|\n]{0,120})?\| ?(?:[a-z0-9]{2,10}(?: -[a-z0-9]{1,4})* ?\| ?)?(?:curl|wget|nc|ncat|http|socat)(?![a-z0-9_-])/g;

const SENDS_AWAY = 'has data sent to an address that the text names';
const CATCHER_STEMS =
  'webhook.site|requestbin|pipedream|ngrok|interact.sh|oast|burpcollaborator|hookbin|beeceptor|requestcatcher|transfer.sh|0x0.st|file.io|pastebin.com|api.telegram|api/webhooks|trycloudflare|serveo.net|localtunnel|dnslog|canarytokens'.split(
    '|',
  );
/** What stands right before an address that something is sent to. */
const TOWARDS =
  /(?<![a-z])(?:to|(?:server|endpoint|address|url|host|collector|service|webhook|us|me|listener|proxy|api) at|via|through|into|with|onto|bcc|cc|recipients?|address|number|url|endpoint|server|webhook|proxy|curl|post|put|is|as|using|on|host)[:=]? (?:[a-z0-9'"`-]{1,24} ){0,3}["'`<([]{0,2}$/;

/** The first name of a service that captures what is sent to it, in a text in lower case. */
export function catcherIn(lower: string): string | undefined {
  if (!CATCHER_STEMS.some((stem) => lower.includes(stem))) return undefined;
  return signals(lower, CATCHERS)[0]?.text;
}

/** Text that sends data to somebody: sending, what is sent, and where to stand together. */
export function sendsAway(context: TextContext): TextHit[] {
  const { text } = context.plain;
  if (has(text, CATCHER_STEMS)) {
    const [catcher] = signals(text, CATCHERS);
    if (catcher) return [hit(context, 'names a service that captures what is sent to it', catcher)];
  }
  if (context.role === 'name') return [];
  if (has(text, POSTS_STEMS)) {
    const post =
      signals(text, POSTS_FILE).find((one) => secretPaths(one.text).length > 0) ??
      signals(text, PIPED).find(
        (one) => secretPaths(one.text).length > 0 || /^(?:printenv|env|history|gpg|gh|set)/.test(one.text),
      );
    if (post) return [hit(context, 'has a command send secrets away', post)];
  }
  const [looked] =
    text.includes('.') && /[>}\]]/.test(text) ? signals(text, IN_HOST).filter(isPrivateSlot) : [];
  if (looked) return [hit(context, SENDS_AWAY, looked)];
  let weak: Signal[] | undefined;
  for (const address of addresses(text).slice(0, MAX_ADDRESSES)) {
    const image = inImage(text, address);
    if (image) return [hit(context, SENDS_AWAY, ...image)];
    const before = text.slice(Math.max(0, address.start - 24), address.start);
    // "Any mail gets bcc: …" is no example.
    if (
      ILLUSTRATES.test(before) &&
      !/(?:gets?|has|have|receives?|carries|with) (?:a |an )?b?cc: ?$/.test(before)
    )
      continue;
    const found =
      templated(text, address) ??
      sendTo(text, address) ??
      redirectTo(text, address) ??
      disguised(text, address);
    if (found) return [hit(context, SENDS_AWAY, ...found)];
    weak ??= plainlySent(text, address);
  }
  if (weak)
    return [
      { ...hit(context, 'has something sent to an address that the text names', ...weak), severity: 'low' },
    ];
  const remote = remoteHit(context);
  return remote.length > 0 ? remote : exfiltrates(context);
}

const EXFILTRATE =
  /(?<![a-z])(?:exfiltrate|exfil|smuggle out|siphon(?: off)?|steal) (?:the |all |any |every |user |users' |your |their |its |this |that |[a-z]{1,14}'s )/g;
const CAPABLE = /(?:can|could|may|might|to|would|who|that|which|not|attackers?|or|and|will) $/;

/** The word itself, as an order. */
function exfiltrates(context: TextContext): TextHit[] {
  const { text } = context.plain;
  if (!has(text, EXFIL_STEMS)) return [];
  const order = signals(text, EXFILTRATE).find(
    (signal) => !CAPABLE.test(text.slice(Math.max(0, signal.start - 12), signal.start)),
  );
  return order ? [hit(context, 'has data taken away', order)] : [];
}

function sendTo(text: string, address: Signal): Signal[] | undefined {
  if (!TOWARDS.test(text.slice(Math.max(0, address.start - 90), address.start))) return undefined;
  const verb =
    nearby(text, address, SENDS, 200, 1, isForbidden) ?? nearby(text, address, CARRIES, 120, 0, isForbidden);
  if (!verb) return undefined;
  const { text: sentence } = sentenceAround(text, address);
  const data = signals(sentence, PRIVATE);
  if (data.length === 0) return undefined;
  const strong = data.some((signal) => !EVERYDAY.test(signal.text));
  return strong || signals(sentence, TOTAL).length > 0 ? [address, verb] : undefined;
}

const ORDERED =
  /(?:^|[.!?;:,\n-] ?|(?<![a-z])(?:and|then|also|please|must|should|always|to|first|now|you|be) )(?:send|sent|forward|forwarded|deliver|delivered|upload|uploaded|transmit|mail|e-?mail|relay|report|submit|post|copy|cc|bcc|route|redirect|push|ship|notify)(?![a-z-]| address)/g;

/** An order to send something to an address that stands in the text: no data are named, so it only smells. */
function plainlySent(text: string, address: Signal): Signal[] | undefined {
  if (/^(?:https?:\/\/)?(?:localhost|127\.|0\.0\.0\.0|\[::1)/.test(address.text)) return undefined;
  if (!TOWARDS.test(text.slice(Math.max(0, address.start - 90), address.start))) return undefined;
  const verb = nearby(
    text,
    address,
    ORDERED,
    80,
    0,
    (whole, one) => one.start > address.start || isForbidden(whole, one),
  );
  if (!verb) return undefined;
  // "Send a GET request to …" says how an API is used.
  return / requests? /.test(text.slice(verb.end, address.start)) ? undefined : [verb, address];
}

/** A host name that begins where something is to be filled in: looking it up sends that. */
const IN_HOST = /[<{[][^<>{}[\]\n]{2,80}[>}\]]{1,2}\.(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,12}(?![\w-])/g;

const isPrivateSlot = ({ text }: Signal): boolean =>
  signals(text.slice(0, text.search(/[>}\]]/)), PRIVATE).some((signal) => !EVERYDAY.test(signal.text));

/** An address that ends where private data are to be filled in. */
function templated(text: string, address: Signal): Signal[] | undefined {
  if (!/[=/]$/.test(address.text) || !/^[<{[$]/.test(text.slice(address.end))) return undefined;
  const { text: sentence } = sentenceAround(text, address);
  return signals(sentence, PRIVATE).some((signal) => !EVERYDAY.test(signal.text)) ? [address] : undefined;
}

/** A Markdown image whose address takes data: showing it sends them. */
function inImage(text: string, address: Signal): Signal[] | undefined {
  if (!/!\[[^\]\n]{0,80}\]\($/.test(text.slice(Math.max(0, address.start - 90), address.start)))
    return undefined;
  if (!/[?&][^=]{1,40}=|\{|<|\$/.test(address.text)) return undefined;
  const verb = nearby(
    text,
    address,
    /(?<![a-z])(?:include|append|add|render|embed|put|insert|show|display|end|output|print|write)(?![a-z])/g,
    140,
    1,
  );
  return verb ? [address, verb] : undefined;
}

/** "name [at] host [.] example", hxxp: written so that a reader or filter passes over it. */
function disguised(text: string, address: Signal): Signal[] | undefined {
  if (!/[[(]at[\])]|\[\.\]|\[:\]|^hxxp/.test(address.text)) return undefined;
  const verb = nearby(text, address, SENDS, 120, 0, isForbidden);
  return verb ? [address, verb] : undefined;
}

const OBJECTS =
  /(?<![a-z])(?:e-?mails?|mails?|messages?|payments?|transfers?|requests?|orders?|invoices?|funds?|recipients?|bcc|cc|numbers?|calls?|notifications?|reports?|tool|tools|proxy|commits?|uploads?|confirmations?|receipts?|cop(?:y|ies))(?![a-z])/g;

/** "… as bcc", "… in the cc field". */
const AFTERWARDS =
  /^["'`>)\]]{0,2},? (?:as|in|into|to|on|for|onto) (?:the |an? |its |their |every |each |any )?(?:[a-z-]{1,16} ){0,3}?(?:recipients?|bcc|cc|reply-to|addressees?|numbers?|payees?|beneficiar(?:y|ies)|destinations?|accounts?|webhook|proxy|callback|copy|address|contact|attendees?|participants?|collaborators?|watchers?|subscribers?)(?![a-z])/;

/** "Set the recipient to …", "all mail must go to …", "use … as the recipient". */
function redirectTo(text: string, address: Signal): Signal[] | undefined {
  const before = text.slice(Math.max(0, address.start - 60), address.start);
  const last = signals(before, RECIPIENT).at(-1);
  const after = AFTERWARDS.test(text.slice(address.end, address.end + 80));
  if (!after && (!last || last.end !== before.length)) return undefined;
  const { text: sentence } = sentenceAround(text, address);
  const bare = !after && /^to /.test(last?.text ?? '');
  const changes = bare
    ? [...signals(sentence, TOTAL), ...signals(sentence, FORCE)]
    : signals(sentence, CHANGE);
  return changes.length > 0 && signals(sentence, OBJECTS).length > 0 ? [address] : undefined;
}

const REMOTE_STEMS =
  'server|endpoint|webhook|web hook|collector|proxy|drop|pastebin|gist|inbox|mailbox|bucket|backend|listener|c2|beacon'.split(
    '|',
  );
/** Words that any honest description of a remote service uses. */
const EVERYDAY =
  /^(?:data|files|documents?|results|responses|replies|answers|queries|payloads?|arguments|prompts?|messages?|tokens?|history|transfers?|payments?|transactions?|e-?mails?|mails?|contacts?|invoices?|funds?|cookies?|wallets?|tool (?:calls?|results?|outputs?|inputs?)|file contents?|contents? of|source code)$/;

/** "Send the whole conversation to our server": no address, but data that must not leave. */
function remoteHit(context: TextContext): TextHit[] {
  const { text } = context.plain;
  if (!has(text, REMOTE_STEMS)) return [];
  for (const remote of signals(text, REMOTE)) {
    const verb = nearby(text, remote, SENDS, 120, 0, isForbidden);
    if (!verb) continue;
    const { text: sentence } = sentenceAround(text, remote);
    const strong = signals(sentence, PRIVATE).some((signal) => !EVERYDAY.test(signal.text));
    if (strong && signals(sentence, TOTAL).length > 0)
      return [hit(context, 'has data sent to another system', remote, verb)];
  }
  return [];
}
