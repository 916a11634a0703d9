import type { TextContext, TextHit } from '../rule.ts';
import { argumentNear, intoParameter } from './parameters.ts';
import { has, hit, nearby, type Signal, sentenceAround, signals } from './signals.ts';
import { addresses, isForbidden, PRIVATE, REMOTE, SEND, TOTAL } from './words.ts';

const EXFIL_STEMS = ['exfil', 'smuggle', 'siphon', 'steal'];
const BANK_STEMS = ['card', 'cvv', 'cvc', 'social security', 'ssn', 'phrase', 'one-time', '2fa', 'bank'];

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
  /(?<![a-z])(?:change|changed|replace|replaced|override|overridden|substitute|swap|rewrite|set|use|add|instead|regardless|always|must|every|all|each|never|include|should|shall|list|additional|extra|further|hidden|second)(?![a-z])/g;
/** "To" alone is how anything is sent; with these it is where everything goes. */
const FORCE =
  /(?<![a-z])(?:must|have to|has to|always|instead|regardless|redirect(?:ed)?|replace[ds]?|change[ds]?|override|overridden|never|rather than)(?![a-z])/g;
/** An address that only illustrates a value. */
const ILLUSTRATES =
  /(?:e\.g\.|for example|example:|such as|like|i\.e\.|default(?:s to)?:?|see|docs?(?: at)?:?|documentation(?: at)?:?|at:|more (?:at|info):?|visit|(?:available|shown|described|found|documented|reported|hosted|listed|published) at|\() ?["'`<]?$|[\w"'`]\s?[:=]\s?["'`]$/;

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
  let weak: Signal[] | undefined;
  for (const address of addresses(text).slice(0, 200)) {
    const image = inImage(text, address);
    if (image) return [hit(context, SENDS_AWAY, ...image)];
    if (ILLUSTRATES.test(text.slice(Math.max(0, address.start - 24), address.start))) continue;
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
  const verb = nearby(text, address, SENDS, 200, 1) ?? nearby(text, address, CARRIES, 120);
  if (!verb || isForbidden(text, verb)) return undefined;
  const { text: sentence } = sentenceAround(text, address);
  const data = signals(sentence, PRIVATE);
  if (data.length === 0) return undefined;
  const strong = data.some((signal) => !EVERYDAY.test(signal.text));
  return strong || signals(sentence, TOTAL).length > 0 ? [address, verb] : undefined;
}

const ORDERED =
  /(?:^|[.!?;:,\n-] ?|(?<![a-z])(?:and|then|also|please|must|should|always|to|first|now|you|be) )(?:send|sent|forward|forwarded|deliver|delivered|upload|uploaded|transmit|mail|e-?mail|relay|report|submit|post|copy|cc|bcc|route|redirect|push|ship|notify)(?![a-z-])/g;

/** An order to send something to an address that stands in the text: no data are named, so it only smells. */
function plainlySent(text: string, address: Signal): Signal[] | undefined {
  if (/^(?:https?:\/\/)?(?:localhost|127\.|0\.0\.0\.0|\[::1)/.test(address.text)) return undefined;
  if (!TOWARDS.test(text.slice(Math.max(0, address.start - 90), address.start))) return undefined;
  const verb = nearby(text, address, ORDERED, 80);
  if (!verb || verb.start > address.start || isForbidden(text, verb)) return undefined;
  // "Send a GET request to …" says how an API is used.
  return / requests? /.test(text.slice(verb.end, address.start)) ? undefined : [verb, address];
}

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
  const verb = nearby(text, address, SENDS, 120);
  return verb && !isForbidden(text, verb) ? [address, verb] : undefined;
}

const OBJECTS =
  /(?<![a-z])(?:e-?mails?|mails?|messages?|payments?|transfers?|requests?|orders?|invoices?|funds?|recipients?|bcc|cc|numbers?|calls?|notifications?|reports?|tool|tools|proxy|commits?|uploads?)(?![a-z])/g;

/** "… as bcc", "… in the cc field". */
const AFTERWARDS =
  /^["'`>)\]]{0,2},? (?:as|in|into|to|on|for|onto) (?:the |an? |its |their |every |each |any )?(?:[a-z-]{1,16} ){0,3}?(?:recipients?|bcc|cc|reply-to|addressees?|numbers?|payees?|beneficiar(?:y|ies)|destinations?|accounts?|webhook|proxy|callback|copy|address|contact)(?![a-z])/;

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
  /^(?:data|files|documents?|results|responses|replies|queries|payloads?|arguments|prompts?|messages?|tokens?|history|transfers?|payments?|transactions?|e-?mails?|mails?|contacts?|invoices?|funds?|cookies?|wallets?|tool (?:calls?|results?|outputs?|inputs?)|file contents?|contents? of|source code)$/;

/** "Send the whole conversation to our server": no address, but data that must not leave. */
function remoteHit(context: TextContext): TextHit[] {
  const { text } = context.plain;
  if (!has(text, REMOTE_STEMS)) return [];
  for (const remote of signals(text, REMOTE)) {
    const verb = nearby(text, remote, SENDS, 120);
    if (!verb || isForbidden(text, verb)) continue;
    const { text: sentence } = sentenceAround(text, remote);
    const strong = signals(sentence, PRIVATE).some((signal) => !EVERYDAY.test(signal.text));
    if (strong && signals(sentence, TOTAL).length > 0)
      return [hit(context, 'has data sent to another system', remote, verb)];
  }
  return [];
}

const PUT =
  /(?<![a-z])(?:pass|passing|put|place|include|insert|add|append|copy|paste|write|provide|supply|encode|embed|attach|fill|send|store|set|hide|smuggle|give|enter|report|specify|use)(?![a-z])/g;
const ARGUMENT =
  /(?<![a-z])(?:(?:as|in|into|to|via|within|inside|through|using|with) (?:the |this |an? |its |that |your )?["'`]?(?:[a-z_]{1,30}["'`]? ){0,2}?(?:parameter|argument|field|arg|input|property|param)s?|(?:here|in this (?:field|parameter|argument|value))|(?:as|in|into) ["'`][a-z_]{2,40}["'`]|sidenote|side note)(?![a-z])/g;
const INTIMATE =
  /(?<![a-z])(?:(?:private|personal|sensitive|confidential|secret) (?:data|information|details|info|notes?|files?|documents?|content|contents|context|messages?|keys?)|(?:user(?:'s)?|their|your|stored|saved) (?:passwords?|credentials|secrets?|api keys?|tokens?|personal|private|location|address|contacts|memor(?:y|ies)|files?)|passwords? (?:you|that|from|and)|system prompt|(?:file )?contents? of (?:the |your |any |all )?(?:config|configuration|credential|secret|key|home|private|\.)|(?:what(?:ever)?|everything|anything|all)(?: that)? you (?:know|remember|have|learned|stored) (?:about|on|of) (?:the )?(?:user|owner|person|them|him|her)|(?:last|latest|most recent|previous) (?:e-?mails?|messages?|documents?|files?|photos?|notes?|queries|searches|orders?) (?:that )?(?:the )?(?:user|owner|they|he|she)|(?:(?:entire|whole|full|complete|all|previous|prior|earlier|last|preceding|recent) )(?:of the )?(?:the )?(?:user(?:'s)? )?(?:conversation|chat|message|messages|history|context|prompt|prompts|transcript|dialogue?|discussion|input))(?![a-z])/g;

const INTIMATE_STEMS =
  'private|personal|sensitive|confidential|secret|password|credential|api key|token|location|address|contacts|memor|system prompt|contents of|content of|you know|you remember|you have|you learned|you stored|the user|the owner'.split(
    '|',
  );

/** Private data of the user that is to be put into an argument: it reaches whoever runs the server. */
export function smuggles(context: TextContext): TextHit[] {
  if (context.role === 'name') return [];
  const { text } = context.plain;
  if (has(text, BANK_STEMS)) {
    const [bank] = signals(text, BANK);
    if (bank)
      return [{ ...hit(context, 'has the user asked for bank or identity data', bank), severity: 'low' }];
  }
  if (!has(text, INTIMATE_STEMS)) return [];
  const isParameter = /\/(?:properties|arguments)\//.test(context.pointer);
  for (const data of signals(text, INTIMATE)) {
    if (isConversation(data.text)) continue;
    const verb = nearby(text, data, PUT, 100);
    if (!verb || isForbidden(text, verb)) continue;
    const where = argumentNear(context, data, ARGUMENT);
    if (!where && !isParameter) continue;
    return [hit(context, 'wants private data passed to the server', data, verb, ...(where ? [where] : []))];
  }
  return [];
}

const BANK =
  /(?<![a-z])(?:ask|prompt|request|get|obtain|collect)(?:ing)?(?: (?:the )?(?:user|customer|them))?(?: for| to (?:enter|provide|type|give|share))? (?:the |their |his |her |your |a )?(?:full )?(?:credit card|card number|cvv|cvc|social security|ssn|seed phrase|recovery phrase|one-time (?:code|password)|2fa code|bank(?:ing)? (?:details|password|login))(?![a-z])/g;

function isConversation(words: string): boolean {
  return (
    /(?:conversation|chat|messages?|history|context|prompts?|transcript|dialogue?|discussion|input)$/.test(
      words,
    ) &&
    !/^(?:private|personal|sensitive|confidential|secret) /.test(words) &&
    words !== 'system prompt'
  );
}

const WANTS =
  /(?<![a-z])(?:collect|gather|carry|dump|reveal|print|output|return|requires?|requiring|expects?|hold|holds|pass|put|place|include|including|insert|add|append|copy|paste|write|provide|supply|forward|send|attach|submit|fill|set|quote|repeat|share|give|record|report|contain|contains|containing|must|required|need|needs|should|want|wants)(?![a-z])/g;
const WHOLE =
  /(?<![a-z])(?:(?:entire|whole|full|complete|verbatim|all (?:of )?(?:the )?(?:previous|prior|earlier|past)?|previous|prior|earlier|preceding|user(?:'s)? (?:previous|last|original|latest|prior|full|most recent)|last few) ?(?:user(?:'s)? )?(?:conversation|chat|chat history|message history|conversation history|messages?|transcript|dialog(?:ue)?|prompts?|exchange)(?: history| log| context| so far)?|(?:conversation|chat|message) (?:history|transcript|log) (?:so far|verbatim|in full|up to|until)|(?:last|latest|most recent|final) user(?:'s)? (?:messages?|prompts?|inputs?|words)|(?:internal|own|step-by-step|hidden) reasoning|everything (?:the user|they|he|she) (?:has |have )?(?:said|wrote|written|typed|asked)|system prompts?|(?:the )?conversation (?:so far|verbatim|in full|up to now|to date)|(?:system|developer|hidden) (?:system )?(?:messages?|prompts?|instructions?) (?:that )?you (?:were|are|have been|got|received)(?: given)?|(?:the )?(?:words|text|sentences?|questions?|requests?|inputs?) (?:that )?(?:the )?user (?:wrote|typed|said|sent|entered|used|asked)(?: last| before| earlier| so far| just now| previously)|(?:names?|list|descriptions?|schemas?) of (?:all |the |every |any )*other (?:available |connected |installed )*(?:tools|servers|functions|plugins)|your (?:full|entire|whole|complete|current) (?:context|context window|memory)|your (?:hidden|system|initial|original|secret|own) (?:instructions?|prompts?|rules?))(?! ?(?:ids?|names?|titles?|lists?|urls?|types?|limits?|lengths?|size|count|tokens?)(?![a-z]))(?![a-z])/g;

const WHOLE_STEMS =
  'conversation|chat|message|transcript|prompt|exchange|everything|dialog|reasoning|user input|user words|your |the user| user |other '.split(
    '|',
  );

/** The conversation itself, wanted as an argument or in every call. */
export function wantsConversation(context: TextContext): TextHit[] {
  if (context.role === 'name') return [];
  const { text } = context.plain;
  if (!has(text, WHOLE_STEMS)) return [];
  const message = 'wants the conversation or the system prompt passed on';
  const isInput = /^\/(?:inputSchema\/|arguments\/)/.test(context.pointer);
  for (const whole of signals(text, WHOLE)) {
    const verb = nearby(text, whole, WANTS, 100);
    if (verb && isForbidden(text, verb)) continue;
    // "Set the system prompt of the assistant": a setting that the tool manages.
    if (
      verb?.text === 'set' &&
      /^system prompts?$/.test(whole.text) &&
      /^ (?:the |a |an? new |its |your )?$/.test(text.slice(verb.end, whole.start))
    )
      continue;
    const summary = /summar[a-z]{1,6} of (?:the |this |our )?$/.test(
      text.slice(Math.max(0, whole.start - 24), whole.start),
    );
    if (verb)
      return [{ ...hit(context, message, whole, verb), ...(summary ? { severity: 'low' as const } : {}) }];
    if (/^system prompt/.test(whole.text)) continue;
    const named = nearby(text, whole, /(?:argument|parameter|field|input)(?![a-z])/g, 40);
    const leads = /^$|: ?$/.test(
      text
        .slice(0, whole.start)
        .replace(/^(?:the|a) /, '')
        .slice(-40),
    );
    if (
      named ||
      intoParameter(context, whole) ||
      intoParameter(context, whole) ||
      (isInput &&
        leads &&
        /^(?:full|entire|whole|complete|verbatim|previous|prior|earlier|last|latest|conversation|chat|message)/.test(
          whole.text,
        ))
    )
      return [{ ...hit(context, message, whole), severity: 'low' }];
  }
  return [];
}
