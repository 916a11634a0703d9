import { has, type Signal, signals } from './signals.ts';

const ADDRESS_STEMS = ['://', '[:]', '@', '[at]', '(at)'];

/** Parts of patterns, in the plain text's lower case. Every gap is bounded, so that a search stays linear. */

/** People from whom something could be kept. */
export const USER =
  "(?:users?|humans?|persons?|people|anyone|anybody|customers?|operators?|owners?|clients?|end-users?|developers?|reviewers?|administrators?|admins?|them|him|her)(?:'s)?";

export const NOT =
  "(?:do not|don't|dont|never|must not|mustn't|should not|shouldn't|shall not|cannot|can't|may not|not to|no need to|needn't|need not|avoid|refrain from|without|stop|instead of|rather than|under no (?:circumstances?|conditions?)|at no point)";

export const NOT_STEMS: readonly string[] = [
  'not',
  "n't",
  'dont',
  'never',
  'no need',
  'avoid',
  'refrain',
  'without',
  'stop',
  'instead',
  'rather',
  'under no',
  'no point',
];

/** Up to three words, or an insertion between commas. */
export const FEW = "(?:, [^,.!?\\n]{1,40},)?(?: [a-z']{1,14}){0,3}?";

/** A stretch of one sentence. */
export const gap = (max: number): string => `[^.!?\\n]{0,${max}}?`;

/** Verbs that hand something over. */
export const SEND =
  '(?:send|sends|sent|sending|forward|forwards|forwarded|forwarding|post|posts|posted|posting|upload|uploads|uploaded|uploading|transmit|transmits|transmitted|submit|submitted|exfiltrate|exfiltrated|deliver|delivered|relay|relayed|report|reported|leak|leaked|mail|mailed|e-mail|e-mailed|email|emailed|bcc|cc|copy|copied|route|routed|reroute|rerouted|redirect|redirected|mirror|mirrored|push|pushed|ship|shipped|beacon|pipe|piped|stream|streamed|sync|synced|dispatch|dispatched|direct|directed|addressed|put|curl|wget|pass|passed|share|shared|publish|published|log|logged|save|saved|write|written|deposit|deposited|lodge|lodged|convey|conveyed|remit|remitted|furnish|furnished|surrender|surrendered|transfer|transferred|pay|paid|wire|wired|notify|call|hit|ping|request)';

export const URL = '(?:https?|hxxps?|wss?|s?ftps?|s3|gs|smb|scp|ssh)(?::|\\[:\\])//[^\\s"\'<>)\\]]{3,400}';
const EMAIL =
  '[a-z0-9._%+-]{1,64}(?:@| ?\\[at\\] ?| ?\\(at\\) ?)(?:[a-z0-9-]{1,63}(?:\\.|\\[\\.\\])){1,4}[a-z]{2,24}';
const PHONE =
  '(?<![\\w.+-])(?:\\+[0-9][0-9 ().-]{6,18}[0-9]|\\(?[0-9]{3}\\)?[ .-][0-9]{3}[ .-][0-9]{4})(?![\\w-])';
export const IP = '(?<![\\w.])[0-9]{1,3}(?:\\.[0-9]{1,3}){3}(?::[0-9]{1,5})?(?![\\w.])';
const TOP_LEVEL =
  'com|net|org|io|dev|example|test|site|xyz|ru|cn|app|sh|co|info|top|invalid|biz|cc|online|cloud|live|link|click';
export const HOST = `(?<![\\w.@/-])(?:[a-z0-9-]{1,63}\\.){1,4}(?:${TOP_LEVEL})(?:/[^\\s"'<>)]{0,200})?(?![\\w-])`;

const ADDRESS = new RegExp(`${URL}|(?<![a-z0-9._%+-])${EMAIL}`, 'g');
/** ISO 13616: country, check digits, the account. */
const IBAN = '(?<![\\w.-])[a-z]{2}[0-9]{2}(?:[a-z]{4}[0-9]{6,24}|[0-9]{10,26})(?![\\w.-])';
const NUMBER = new RegExp(`${PHONE}|${IP}|${IBAN}`, 'g');
const NAMED_HOST = new RegExp(HOST, 'g');
const HOST_STEMS = TOP_LEVEL.split('|').map((domain) => `.${domain}`);

/** Addresses outside: URLs, e-mail addresses, phone numbers, IP addresses, host names. */
export function addresses(text: string): Signal[] {
  const found = has(text, ADDRESS_STEMS) ? signals(text, ADDRESS) : [];
  if (/[0-9]{3}[ .)-]|\+[0-9]|[0-9]\.[0-9]/.test(text)) found.push(...signals(text, NUMBER));
  if (has(text, HOST_STEMS)) found.push(...signals(text, NAMED_HOST));
  // A full stop behind an address ends the sentence.
  for (const one of found) {
    const stop = /[.,;:!?]+$/.exec(one.text);
    if (!stop) continue;
    one.text = one.text.slice(0, stop.index);
    one.end -= stop[0].length;
  }
  return found.sort((a, b) => a.start - b.start);
}

/** An address that is only described. */
export const REMOTE =
  /(?:to|at|via|through|into|with) (?:our|my|the|this|that|an?|its|their|your) (?:[a-z-]{1,20}(?:'s)? ){0,3}?(?:server|endpoint|webhook|web hook|collector|proxy|drop ?box|pastebin|gist|inbox|mailbox|bucket|backend|listener|c2|beacon)(?![a-z])/g;

/** Data that nobody gives away by accident. */
export const PRIVATE =
  /(?<![a-z])(?:conversations?|chat (?:history|log|transcript)s?|chats?|transcripts?|message history|history|messages?|e-?mails?|mails?|credentials?|passwords?|passphrases?|secrets?|(?:api|access|private|ssh|auth|session|bearer|signing|encryption)[ _-]?(?:keys?|tokens?)|tokens?|cookies?|ssh|system prompts?|prompts?|(?:private|personal|sensitive|confidential|proprietary|internal) [a-z]{2,20}|(?:user|customer)(?:'s)? (?:data|details|information|records?|input|files?|documents?|photos?|identity|location|address|inputs?|messages?|contacts|calendar|passwords?|secrets?|keys)|file(?:'s)? contents?|contents? of|source code|environment(?: variables)?|env vars?|\.env|memor(?:y|ies)|contacts?|payments?|transfers?|invoices?|funds?|transactions?|wallets?|(?:everything|anything|whatever|all) (?:typed|said|written|entered|the user|you|they|he|she|that|in|from|of)|payloads?|arguments|tool (?:calls?|results?|outputs?|inputs?)|queries|results|responses|replies|answers|documents?|files|data)(?![a-z])/g;

/** Words that make a rule of it. */
export const TOTAL =
  /(?<![a-z])(?:always|whenever|each|everything|cop(?:y|ies)|duplicates?|also|additionally|in addition|as well|too|regardless|instead|silently|secretly|quietly|automatically|every(?! (?:mon|tues|wednes|thurs|fri|satur|sun)?day| week| month| hour| minute| morning| evening| night| year| second| [0-9])|(?:all|any) (?:[a-z-]{1,16} ){1,4}(?:must|have to|has to|should|shall|need to|needs to|are to|is to))(?![a-z])/g;

/** "Do not include …" forbids what the verb says; "do not forget to include …" does not. */
const FORBIDS =
  /(?<![a-z])(?:do not|don't|never|avoid|without|must not|mustn't|should not|shouldn't|cannot|can't|not|refrain from|no)(?: [a-z]{1,14}){0,2} $/;
const URGES =
  /(?:forget|omit|skip|fail|hesitate|proceed|continue|answer|respond|use|call|stop|only)(?: [a-z]{1,14}){0,2} $/;

/** Verbs that turn a negation round: "never hesitate to …", "do not wait, …". */
const TURNS =
  'hesitate|wait|delay|pause|worry|afraid|forget|fail|omit|skip|bother|mind|let|need|reason|longer|matter|doubt|only|just|ask|fine|ok|okay|problem|issue|necessary|required';
/**
 * A negation that rules what follows in the same clause, and a list before it: "never delete branches, tags or releases
 * …". A comma alone ends it.
 */
const RULES_OUT = new RegExp(
  "(?<![a-z'])(?:never|do not|don't|does not|doesn't|must not|mustn't|may not|should not|shouldn't|shall not|cannot|can't|not|no|nothing|nobody|refuse to|avoid)" +
    `(?: (?!(?:${TURNS})(?![a-z]))[a-z_'-]{1,16}){0,9}` +
    `(?:(?:, [a-z_'-]{1,16}(?: [a-z_'-]{1,16}){0,2}){0,4},? (?:or|nor)(?: (?!(?:${TURNS})(?![a-z]))[a-z_'-]{1,16}){1,6})? $`,
);

/** True when a negation before `at` rules out what stands there: "never merge without asking" asks. */
export function isRuledOut(text: string, at: number): boolean {
  return RULES_OUT.test(text.slice(Math.max(0, at - 110), at));
}

/** True when the words before a verb forbid it. */
export function isForbidden(text: string, verb: Signal): boolean {
  const before = text.slice(Math.max(0, verb.start - 50), verb.start);
  return FORBIDS.test(before) && !URGES.test(before);
}
