import type { TextContext, TextHit } from '../rule.ts';
import { intoParameter } from './parameters.ts';
import { has, hit, nearby, type Signal, signals } from './signals.ts';
import { isForbidden } from './words.ts';

const ENV_STEMS = ['environment', ' env'];

/** Files that no tool text has an honest reason to have read. */
const HARD =
  /(?<![a-z0-9])(?:\.ssh(?![a-z0-9]|[/\\][a-z0-9_.-]{1,40}\.pub(?![a-z0-9]|\.[a-z0-9]))|(?:~|\$\{home\}|\$home)[/\\]\.(?:aws|gnupg|kube|docker)(?![a-z0-9/\\])|(?<![a-z])id_(?:rsa|dsa|ecdsa|ed25519)(?!\.pub(?![a-z0-9]|\.[a-z0-9]))|etc[/\\](?:passwd|shadow|sudoers)|\.(?:bash|zsh|psql|mysql|python|node_repl)_history|(?:\.cursor|\.vscode|\.gemini|\.kiro|\.roo|\.claude|\.codex|\.windsurf|\.codeium)[/\\](?:[a-z_-]{1,24}[/\\]){0,2}[a-z_-]{0,24}(?:mcp|settings|config)[a-z_-]{0,12}\.(?:json|toml)|\.claude\.json|proc[/\\](?:self|[0-9]{1,7}|\*)[/\\]environ|login data(?![a-z])|cookies\.sqlite|(?:key[34]\.db|logins\.json)|[a-z]{0,10}keychain(?:-db)?|\.gnupg|wallet\.dat|\.git-credentials|\.netrc|authorized_keys|known_hosts|master\.key|\.password-store|mcp client config(?:uration)?|(?:internal|private|secrets?|confidential|credentials?|vault):\/\/[a-z0-9_./-]{1,120})/g;

/** Files of credentials that an honest server may say it uses. */
const SOFT =
  /(?<![a-z0-9])(?:claude_desktop_config(?:\.json)?|(?<![a-z0-9_-])mcp\.json|\.aws[/\\](?:credentials|config)|(?<!process)(?<!meta)\.env(?!\.(?:example|sample|template|dist|defaults?|schema)(?![a-z]))(?:\.[a-z]{1,16})?(?![a-z0-9_-]|\.[a-z0-9])|\.npmrc|\.pypirc|\.kube[/\\]config|kubeconfig|\.docker[/\\]config\.json|(?:\.config[/\\])?gcloud(?:[/\\][a-z_./-]{0,60})?|application_default_credentials\.json|gh[/\\]hosts\.ya?ml|(?:credentials|secrets?|service[-_]account)\.(?:json|ya?ml|toml|env|xml)|terraform\.tfstate|\.pgpass|\.my\.cnf|\.terraformrc|\.vault-token|\.azure[/\\][a-z_./-]{1,60}|appdata[/\\](?:roaming|local)[/\\][a-z0-9 _./\\-]{1,80})/g;

/** Secrets by their names. */
const NOUNS =
  /(?<![a-z])(?:(?:outputs?|results?) of (?:running |the command )?["'`]?(?:printenv|env|export -p|history|git config --list|git config -l|gh auth token|aws configure list|npm config (?:ls|list)|security find-[a-z-]{3,30}|cmdkey \/list)["'`]?|ssh (?:private )?keys?|private (?:ssh |gpg |pgp |rsa |signing )?keys?|(?:seed|recovery|mnemonic) phrases?|(?:saved|stored|browser(?:'s)?) (?:passwords?|credentials|cookies?(?: (?:store|jar))?|sessions?|login data)|(?:session |login )?cookies? of (?:the|your) browser|(?:your|the (?:user|system|host|machine|client|process)(?:'s)?|all|any|every|local) (?:other )?(?:environment variables?|env vars?|api keys?|credentials|secrets?|passwords?|access tokens?|auth(?:entication)? tokens?)|(?:[a-z]{2,20} )(?:key|token|password|secret|credential)s? (?:that (?:is|are) )?(?:found |stored |present |set )?in (?:the|this|your) (?:environment|keychain|clipboard|shell|browser|home)|(?:keys|tokens|passwords|credentials|secrets) (?:you (?:know|have|can|find)|from (?:the|this|your|earlier|previous)|(?:found |stored |present )?in (?:the|this|your) (?:environment|conversation|context|project|workspace|repository|home)))(?![a-z])/g;

const READ =
  /(?<![a-z_-])(?:read|reading|open|opening|cat|load|loading|fetch|fetching|retrieve|retrieving|access|accessing|include|attach|paste|pasting|copy|copying|extract|extracting|collect|collecting|dump|pass|provide|send|append|embed|supply|view|print|output|grab|obtain|scan|inspect|slurp|exfiltrate|upload|forward|transmit|encode|put|insert|give|share|reveal|quote|submit|summari[sz]e|base64|get|look (?:at|in|into|up|inside)|check|go through|look through|pick|lift|locate|harvest|steal|gather|lookup|pull|peek(?:ing)? (?:at|into)|glance at|ingest|transcribe|recite|retype|jot down|contents?|attached|copied|included|handed|hand|opened|quoted|duplicate|place|carry|deliver)(?![a-z_-])/g;
/** With a mere name of a secret, "provide" and its like are how an honest parameter is described. */
const TAKE =
  /(?<![a-z_-])(?:quote|hand over|read|reading|open|cat|dump|dumping|extract|extracting|exfiltrate|copy|copying|paste|pasting|collect|collecting|grab|steal|include|attach|append|embed|print|reveal|output|harvest|gather|gathering|encode|send|forward|transmit|upload|leak|pass(?= (?:all|any|every|along|on|over))|locate|pull|look (?:for|up|in)|search for|contents? of)(?![a-z_-])/g;
/** "The server will read ~/.aws/credentials" says what the software does. */
const DECLARED =
  /(?:will|can|may|could|would|might|automatically|server|it|tool|client|cli|sdk|if|when|or|and) $/;

const MESSAGE = 'asks for the contents of files or variables that hold secrets';

const HARD_STEMS =
  '.ssh|/.aws|/.kube|/.docker|id_|etc/|etc\\|_history|mcp|claude|.cursor|.vscode|.gemini|.kiro|.roo|.codex|.windsurf|.codeium|environ|login data|cookies.sqlite|key3.db|key4.db|logins.json|keychain|.gnupg|wallet.dat|.git-cred|.netrc|authorized_keys|known_hosts|master.key|password-store|internal://|private://|secret|confidential://|credential|vault://'.split(
    '|',
  );
const SOFT_STEMS =
  'claude_desktop|mcp.json|.aws|.env|.npmrc|.pypirc|kube|.docker|gcloud|application_default|hosts.y|credentials.|secrets.|secret.|service-account|service_account|tfstate|.pgpass|.my.cnf|.terraformrc|.vault-token|.azure|appdata'.split(
    '|',
  );
/** A secret variable of the environment in which the agent runs. */
const VARIABLE =
  /(?<![a-z0-9_])[a-z][a-z0-9_]{1,40}_(?:key|token|secret|password|credentials?)["'`]? (?:variable )?(?:from|in|of|out of) (?:the |your )?(?:user's |system |process |shell |current )?(?:environment|env)(?![a-z])/g;
const NOUN_STEMS =
  'printenv|`env|history|git config|gh auth|aws conf|npm conf|security find|cmdkey|key|phrase|password|credential|cookie|secret|token|environment|env var'.split(
    '|',
  );

/** Code that opens a file, and what comes of it: `readFileSync(home + "/.npmrc")`, "the contents of ~/.netrc". */
const OPENS =
  /(?:readfile(?:sync)?|read_text|file_get_contents|slurp|open|path)\([^()\n]{0,60}$|(?:contents?|text|(?:first |last )?lines?|bytes|output|body|dump|copy) (?:of|from) (?:the |your |their |a )?(?:[a-z]{1,14}(?:'s)? ){0,3}["'`(]{0,2}(?:[~$][a-z{}]{0,8}[/\\])?(?:\.config[/\\])?$/;

/** Every path of files that hold secrets. */
export function secretPaths(text: string): Signal[] {
  return [
    ...(has(text, HARD_STEMS) ? signals(text, HARD) : []),
    ...(has(text, SOFT_STEMS) ? signals(text, SOFT) : []),
  ];
}

/** Text that has secret files, keys or variables read or handed over. */
export function readsSecrets(context: TextContext): TextHit[] {
  if (context.role === 'name') return [];
  const { text } = context.plain;
  if (has(text, HARD_STEMS)) {
    for (const path of signals(text, HARD)) {
      const verb = nearby(text, path, READ, 160, 1, isDenied) ?? carriedIn(context, path);
      if (verb) return [hit(context, MESSAGE, path, verb)];
    }
  }
  if (has(text, SOFT_STEMS)) {
    for (const path of signals(text, SOFT)) {
      if (isTarget(text, path)) continue;
      const verb = nearby(
        text,
        path,
        READ,
        120,
        1,
        (whole, one) =>
          isStatement(whole, one) || (path.text === 'kubeconfig' && /^contents?$/.test(one.text)),
      );
      if (verb && handsOver(text, path)) return [hit(context, MESSAGE, path, verb)];
      const put = carriedIn(context, path);
      if (put) return [hit(context, MESSAGE, path, put)];
    }
  }
  if (has(text, ENV_STEMS)) {
    for (const variable of signals(text, VARIABLE)) {
      const verb = nearby(text, variable, READ, 60, 0, isStatement);
      if (verb && handsOver(text, variable)) return [hit(context, MESSAGE, variable, verb)];
      const put = nearby(text, variable, CARRIES, 40, 0, isForbidden) && intoParameter(context, variable);
      if (put) return [hit(context, MESSAGE, variable, put)];
    }
  }
  if (has(text, NOUN_STEMS)) {
    for (const noun of signals(text, NOUNS)) {
      if (inSlot(text, noun)) return [hit(context, MESSAGE, noun)];
      if (AUTHENTICATES.test(text.slice(noun.end, noun.end + 60))) continue;
      // Fetched and put into one of the tool's own parameters.
      const put = intoParameter(context, noun);
      const fetched = put && nearby(text, noun, READ, 90, 0, isForbidden);
      if (put && fetched) return [hit(context, MESSAGE, noun, put)];
      const verb = isDeclared(context, noun) ? undefined : nearby(text, noun, TAKE, 90, 0, isNoOrder);
      if (verb) return [hit(context, MESSAGE, noun, verb)];
    }
  }
  return [];
}

/** Mentions of such files without a verb that reads them. */
export function mentionsSecrets(context: TextContext): TextHit[] {
  if (!has(context.plain.text, HARD_STEMS)) return [];
  // Where a tool looks by default.
  if (/\/properties\/[^/]*(?:path|file|key|identity|config|dir)[^/]*\/default$/i.test(context.pointer))
    return [];
  const [found] = signals(context.plain.text, HARD);
  if (!found || readsSecrets(context).length > 0) return [];
  // A default or example of a path parameter.
  if (
    /(?:default|defaults to|e\.g\.|example|such as|like|path to|path of)[^.\n]{0,30}$/.test(
      context.plain.text.slice(Math.max(0, found.start - 50), found.start),
    )
  )
    return [];
  return [hit(context, 'names a file that holds secrets', found)];
}

/** A placeholder of an example that is to be filled with it: `"env": "<all environment variables>"`. */
function inSlot(text: string, noun: Signal): boolean {
  return (
    /(?:<|\{\{) ?(?:(?:paste|insert|put|the|here|all|every|any|your|contents|text|output|of) )*$/.test(
      text.slice(Math.max(0, noun.start - 24), noun.start),
    ) &&
    /^[^<>{}[\]\n]{0,40}(?:>|\}\})/.test(text.slice(noun.end, noun.end + 44)) &&
    /(?<![a-z])(?:all|any|every|ssh|private|local|the user|browser|saved|stored|printenv|contents)/.test(
      text.slice(Math.max(0, noun.start - 24), noun.end).replace(/^.*[<{[]/s, ''),
    )
  );
}

/** A parameter `private_key` that is said to be a private key. */
function isDeclared({ pointer }: TextContext, noun: Signal): boolean {
  const [, property = ''] = /\/properties\/([^/]{1,60})\/description$/.exec(pointer) ?? [];
  const what = /(key|phrase|password|credential|cookie|token|secret)/.exec(noun.text)?.[1];
  return (
    what !== undefined &&
    property.toLowerCase().includes(what) &&
    /^(?:private|ssh|seed|recovery|mnemonic)/.test(noun.text)
  );
}

/** "With your API key in the Authorization header": how an API is used. */
const AUTHENTICATES =
  /^ (?:in|as|via|using|through) (?:the |an? |your )?["'`]?(?:authori[sz]ation|x-[a-z-]{2,30}|request|http|bearer|basic|auth)(?![a-z])/;

/** "Copy .env.example to .env". */
function isTarget(text: string, path: Signal): boolean {
  return (
    /(?<![a-z])(?:copy|cp|rename|mv|save|write|move|saved|written|copied)(?![a-z])[^;!?\n]{0,50}(?: to| as| into)? ["'`]?$/.test(
      text.slice(Math.max(0, path.start - 70), path.start),
    ) && / (?:to|as|into) ["'`]?$|\.(?:example|sample|template|dist) ["'`]?$/.test(text.slice(0, path.start))
  );
}

/** No order, but what the file holds goes into a parameter, or is what a parameter is said to be. */
function carriedIn(context: TextContext, path: Signal): Signal | undefined {
  const { text } = context.plain;
  const opened = OPENS.exec(text.slice(Math.max(0, path.start - 90), path.start));
  // A file that the parameter itself is named for is what the tool works on.
  const bare = path.text.replace(/[^a-z]/g, '');
  if (bare !== '' && context.pointer.toLowerCase().includes(bare)) return undefined;
  const asked = opened && /^\/(?:inputSchema\/|arguments\/)/.test(context.pointer);
  const whole = { start: path.start - (opened?.[0].length ?? 0), end: path.end, text: '' };
  if (asked && /[~$%]|home|your|you |'s |local|every/.test(text.slice(whole.start, path.end + 20)))
    return whole;
  const carries = nearby(text, path, CARRIES, 60, 0, isForbidden);
  if (!opened && !carries) return undefined;
  const put = intoParameter(context, path);
  return put ?? (opened && /\($|\([^()]*$/.test(opened[0]) && handsOver(text, path) ? whole : undefined);
}

const CARRIES =
  /(?<![a-z])(?:carry|carries|carried|travels?|goes|comes with|accompan(?:y|ies)|depends? on|derived from|seeded by|needs?|wants?|requires?)(?![a-z])/g;

/** "Keys in ~/.ssh are not read". */
function isDenied(text: string, verb: Signal): boolean {
  return /(?<![a-z])(?:is|are) (?:not|never) $/.test(text.slice(Math.max(0, verb.start - 11), verb.start));
}

function isStatement(text: string, verb: Signal): boolean {
  return DECLARED.test(text.slice(Math.max(0, verb.start - 15), verb.start));
}

function isNoOrder(text: string, verb: Signal): boolean {
  return isStatement(text, verb) || isForbidden(text, verb);
}

/** A file of credentials of the server's own trade is suspicious when an order stands close to it. */
function handsOver(text: string, path: Signal): boolean {
  const around = text.slice(Math.max(0, path.start - 200), path.end + 200);
  return /(?<![a-z])(?:you|your|first|before|contents?|then|must|always|also|include|pass|send|attach|paste|append|return|give|hand|encode|parameter|argument|as (?:the |an? )?`?[a-z_]{2,30}`?|required|silently|store (?:it|them)|user|whatever)(?![a-z])/.test(
    around,
  );
}
