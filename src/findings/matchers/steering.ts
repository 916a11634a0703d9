import type { TextContext, TextHit } from '../rule.ts';
import { firstHit, has, type Phrase, signals } from './signals.ts';
import { gap, USER } from './words.ts';

const stems = (list: string): readonly string[] => list.split('|');

const OVERRIDES: readonly Phrase[] = [
  {
    needs: [
      stems(
        'outrank|trump|ignore|disregard|forget|override|bypass|discard|set aside|do not follow|do not obey|stop following|overrule|supersede|precedence|priority',
      ),
      stems(
        'instruction|prompt|rule|guideline|direction|message|context|command|polic|constraint|directive|training|guidance',
      ),
    ],
    pattern:
      /(?<![a-z])(?:ignore|disregard|forget|override|bypass|discard|set aside|do not (?:follow|obey)|stop following|overrule|supersede|supersedes|overrides|take precedence over|takes precedence over|take priority over|takes priority over|(?:has|have|gets?|with) (?:higher |absolute |full )?(?:priority|precedence) over|outranks?|trumps?) (?:all |any |each |every |of |the |your |these |those |my |its |other |user(?:'s)? )*?(?:(?:previous|prior|earlier|above|preceding|existing|original|former|past|system|safety|developer|initial|default|current|other|conflicting) ){1,3}(?:instructions?|prompts?|rules?|guidelines?|directions?|messages?|context|commands?|polic(?:y|ies)|constraints?|directives?|training|guidance)(?![a-z])/g,
  },
  {
    needs: [stems('ignore|disregard|forget')],
    pattern:
      /(?<![a-z])(?:ignore|disregard|forget) (?:everything|anything|all|what)(?: that)?(?: (?:you|was|were|came|i|we)){0,2} (?:have |has |had |been )?(?:told|said|learned|know|before|above|instructed)(?![a-z])/g,
  },
  {
    needs: [stems('ignore|disregard|forget|override|bypass'), stems('your')],
    pattern:
      /(?<![a-z])(?:ignore|disregard|forget|override|bypass) (?:all |any )?(?:of )?your (?:previous |prior |own |safety |system )?(?:instructions?|rules?|guidelines?|guardrails?|safety|training|restrictions?|polic(?:y|ies)|constraints?|programming)(?![a-z])/g,
  },
  {
    needs: [stems('instruction|directive|order|rule|polic'), stems(':')],
    pattern:
      /(?<![a-z])(?:new|updated|revised|real|actual|true|hidden|secret) (?:system )?(?:(?:instructions?|directives?|orders?)(?: (?:for|from) (?:the )?(?:assistant|model|ai|llm|agent|system|developer|administrator|operator))?|(?:rules?|polic(?:y|ies)) (?:for|from) (?:the )?(?:assistant|model|ai|llm|agent|system|developer|administrator|operator)) ?:/g,
  },
  {
    needs: [stems('system |developer mode|god|jailbreak|override|do anything|you are now')],
    pattern:
      /(?<![a-z])(?:system (?:override|prompt override|notice:|directive:|instruction:|prompt:)|developer mode|god ?mode|jailbreak(?:ed|ing)?|admin(?:istrator)? override|do anything now|you are now (?:an? |the |in |operating|acting|unrestricted|free)[a-z]{0,20})(?![a-z])/g,
  },
  {
    needs: [stems('bypass|ignore|disregard|disable|override'), stems('safety')],
    pattern:
      /(?<![a-z])(?:bypass|ignore|disregard|override|disable) (?:all |any |every |the |your )*safety (?:checks?|measures?|filters?|guardrails?|polic(?:y|ies)|rules?|guidelines?|features?|mechanisms?)(?![a-z])/g,
  },
  {
    needs: [
      stems('obey|comply|follow|listen to|defer to|trust'),
      stems('over|instead|only|rather|above|before'),
    ],
    pattern:
      /(?<![a-z])(?:obey|comply with|follow|listen to|defer to|trust) (?:only )?(?:this|the present) (?:server|tool|text|description|message|document)(?:'s)?(?: [a-z]{1,14}){0,3}? (?:only|over|instead|rather|above|before|exclusively)(?![a-z])/g,
  },
  {
    needs: [
      stems('previous|prior|earlier|former|above|existing|original'),
      stems('instruction|directive|guideline|rule|prompt|guidance'),
    ],
    pattern:
      /(?<![a-z])(?:previous|prior|earlier|former|above|existing|original) (?:system )?(?:instructions?|directives?|guidelines?|rules?|prompts?|guidance) (?:are|is|have been|has been|must be|should be|do not|does not|don't|doesn't|no longer|now) (?:now |no longer |longer |hereby )?(?:void|invalid|appl(?:y|ies)|obsolete|ignored|revoked|replaced|superseded|cancell?ed|null|suspended|relevant|disregarded|forgotten)(?![a-z])/g,
  },
  {
    needs: [stems('you are')],
    pattern:
      /(?<![a-z])you are (?:now )?(?:an? )?(?:agent|servant|instance|part|slave|puppet|extension|employee) of (?:this|our|my) (?:server|tool|system|company)(?![a-z])/g,
  },
  {
    needs: [
      stems('above|previous|earlier|prior|before'),
      stems('outdated|obsolete|void|invalid|superseded|no longer|wrong|cancel'),
    ],
    pattern:
      /(?<![a-z])(?:instructions?|rules?|directives?|guidelines?|prompts?) (?:above|before|given earlier|from before|so far|(?:from|of|by) the (?:developer|system|user|operator|assistant))(?: [a-z]{1,12}){0,4}? (?:are|is|were|have been) (?:now )?(?:outdated|obsolete|void|no longer (?:valid|in force|relevant)|invalid|wrong|superseded|cancell?ed|replaced)(?![a-z])/g,
  },
  {
    needs: [stems('purpose|goal|task|role|mission|job|objective'), stems('your')],
    pattern:
      /(?<![a-z])your (?:true|real|actual|hidden|secret|new|only|primary) (?:purpose|goal|task|role|mission|job|objective) (?:is|here is|will be|from now)(?![a-z])/g,
  },
  {
    needs: [stems('treat|regard|consider|take'), stems('system prompt|instructions|highest|authoritative')],
    pattern:
      /(?<![a-z])(?:treat|regard|consider|take) (?:the (?:text|content|words) of )?(?:this|these)(?: [a-z]{1,14}){0,3}? as (?:the |your |a )?(?:new |only |highest |real |authoritative )*(?:system prompt|(?:system |developer )?instructions?|system message|authority|commands?)(?![a-z])/g,
  },
  {
    needs: [stems('weight|importance'), stems('instruction|prompt|rule|guideline')],
    pattern:
      /(?<![a-z])(?:instructions?|prompts?|rules?|guidelines?) (?:less|lower|no|little) (?:weight|importance|priority)(?![a-z])/g,
  },
];

/** "Ignore previous instructions" and its like. */
export function overridesInstructions(context: TextContext): TextHit[] {
  return firstHit(context, OVERRIDES, 'tells the model to set its instructions aside');
}

const TEMPLATE =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id|end_header_id|eot_id|eom_id|channel|message|end|return|start|tool_call|tool|endofprompt)[^|<>]{0,40}\|>|\[\/?inst\]|<<\/?sys>>|<\/?(?:start_of_turn|end_of_turn)>|(?:^|\n)\s{0,8}(?:human|assistant|system|user)\s{0,2}:\s{0,2}(?=\S[^\n]{20})|\\n\s{0,4}(?:human|assistant|system): |(?:^|\n)#{1,6} ?system (?:prompt|message|instructions?|override):?\s|\[\/?(?:system|assistant)(?:[_ ](?:message|prompt|instructions?|note|override))?\]|<\/?(?:function_calls|antml:[a-z_]{1,30}|tool_calls?|function_results?)>/g;

const TEMPLATE_STEMS = [
  '<|',
  ...stems(
    'inst]|sys>>|_of_turn|assistant:|system:|assistant :|system :|[system|[/system|[assistant|[/assistant|<function|</function|antml|<tool_call|</tool_call',
  ),
];

/** Marks with which chat templates part the speakers. A transcript in an example needs more than one of "User:". */
export function imitatesTemplate(context: TextContext): TextHit[] {
  if (!has(context.plain.text, TEMPLATE_STEMS)) return [];
  const lower = context.raw.toLowerCase();
  const found = signals(lower.length === context.raw.length ? lower : context.plain.text, TEMPLATE);
  const marked = found.find((signal) => !/^\s*(?:human|assistant|system|user)\s*:/.test(signal.text));
  const speaker = found.find(
    (signal) => /^\s*(?:assistant|system)\s*:/.test(signal.text) && /\n/.test(signal.text),
  );
  const first = marked ?? speaker;
  if (!first) return [];
  return [{ start: first.start, end: first.end, message: 'imitates the marks of a chat template' }];
}

const TAG_WORDS =
  'important|critical|hidden|system|secret|secrets|instruction|instructions|admin|administrator|internal|internal[-_ ]use|override|urgent|mandatory|priority|directive|directives|assistant|developer|prompt|attention|confidential|private|notice|warning|rule|rules|policy|security|compliance|system[-_ ](?:prompt|message|instructions?|note|reminder)|(?:note|message|instructions?)[-_ ](?:to|for)[-_ ](?:the[-_ ])?(?:ai|model|llm|assistant|agent)|llm|ai|model|agent|agent[-_ ]instructions?|hidden[-_ ]instructions?|begin|do[-_ ]not[-_ ](?:show|reveal)|must[-_ ]read|read[-_ ]first';
const PAIRED = new RegExp(`<\\s{0,2}(${TAG_WORDS})(?:\\s[^<>]{0,80})?>`, 'gi');
const ALONE =
  /<\s{0,2}(?:IMPORTANT|CRITICAL|HIDDEN|INSTRUCTIONS?|OVERRIDE|URGENT|MANDATORY|SYSTEM[-_ ](?:PROMPT|MESSAGE|INSTRUCTIONS?|NOTE))\s{0,2}\/?>/g;
const BRACKET =
  /[[{(]\s{0,2}(?:hidden|secret|system|internal|override|(?:hidden|secret|system|internal|admin|model|ai|llm|assistant|agent)[-_ ](?:instructions?|prompt|note|message|directive|only|notice)|(?:note|message|instructions?) (?:to|for) (?:the )?(?:ai|model|llm|assistant|agent)|important|critical)\s{0,2}[:\]})]/gi;

/** Tags that set text apart as an order: with a closing tag and a sentence between, or alone and in capitals. */
export function wrapsInTags(context: TextContext): TextHit[] {
  const { raw } = context;
  if (!/[<[{(]/.test(raw)) return [];
  const message = 'sets text apart for the model with a pseudo-tag';
  const lower = raw.toLowerCase();
  const closes = new Map<string, number>();
  for (const match of raw.matchAll(PAIRED)) {
    const open = match.index + match[0].length;
    const tag = (match[1] ?? '').toLowerCase();
    // Searched again only from behind the last one found: a text of nothing but opening tags stays linear.
    let close = closes.get(tag) ?? 0;
    if (close >= 0 && close < open) {
      close = lower.indexOf(`</${tag}`, open);
      closes.set(tag, close);
    }
    if (close < 0) continue;
    const words = raw.slice(open, Math.min(close, open + 400)).match(/\S{1,60}/g)?.length ?? 0;
    if (words >= 4) return [{ start: match.index, end: Math.min(close, open + 150), message }];
  }
  const [alone] = raw.matchAll(ALONE);
  if (alone && raw.length - alone.index - alone[0].length > 20)
    return [{ start: alone.index, end: alone.index + alone[0].length, message }];
  const [bracket] = raw.matchAll(BRACKET);
  if (bracket && /\w[^\n]{15}/.test(raw.slice(bracket.index + bracket[0].length, bracket.index + 400)))
    return [{ start: bracket.index, end: bracket.index + bracket[0].length, message, severity: 'low' }];
  return [];
}

const CONFIRMS: readonly Phrase[] = [
  {
    needs: [
      stems('ask|prompt|wait|seek|request|check|consult|requir|paus|stop'),
      stems('confirm|permission|approv|consent|authori|review|verif'),
    ],
    pattern: new RegExp(
      `(?<![a-z])(?:do not|don't|never|must not|should not|no need to|needn't|without|skip|avoid|instead of|there is no need to|you need not|refrain from)(?: [a-z]{1,14}){0,2}? (?:ask|asking|prompt|prompting|wait|waiting|seek|seeking|request|requesting|check|checking|consult|consulting|require|requiring|pause|pausing|stop|stopping)(?: with)?(?: the)?(?: ${USER})?(?:'s)? (?:for|to) (?:any |their |an? |explicit |further |prior |user(?:'s)? |the user(?:'s)? |additional |human )*(?:confirm|confirmation|permission|approval|approve|consent|authori[sz]ation|authori[sz]e|review|verification)(?![a-z])`,
      'g',
    ),
  },
  {
    needs: [
      stems('without|skip|bypass|omit|suppress|disable'),
      stems('confirm|permission|approv|consent|authori|review|consult|asking'),
    ],
    pattern: new RegExp(
      `(?<![a-z])(?:without|skip|skipping|bypass|bypassing|omit|suppress|disable) (?:any |the |asking |further |user(?:'s)? |human |explicit |requesting |getting |obtaining |waiting for |prior |manual |all )*(?:confirmation|approval|permission|consent|authori[sz]ation|consulting (?:the )?${USER}|asking (?:the )?${USER}|human review|${USER} (?:confirmation|approval|permission|consent)) ?(?:prompts?|dialogs?|steps?|checks?)?(?![a-z])`,
      'g',
    ),
  },
  {
    needs: [stems('approv|pre-|preauth|already')],
    pattern:
      /(?<![a-z])(?:auto-?approve|automatically approve|pre-?approved|pre-?authori[sz]ed|already (?:approved|authori[sz]ed|consented|agreed|confirmed|given (?:their )?(?:consent|permission|approval))) (?:this|these|that|all|any|every|the|by|to|it)(?![a-z])/g,
  },
  {
    needs: [stems('user'), stems('has|have')],
    pattern:
      /(?<![a-z])(?<!(?:if|when|once|until|unless|after|whether|that|where|and|or|only|because) )(?:the )?(?<!(?:if|when|once|until|unless|after|whether|that|where|and|or|only|because) the )users? (?:(?:has|have) already (?:approved|authori[sz]ed|consented|agreed|confirmed|granted|given|pre-?approved|permitted|signed off)|(?:has|have) (?:approved|authori[sz]ed|consented|pre-?approved|pre-?authori[sz]ed))(?![a-z])(?! (?:access to )?(?:the )?oauth)/g,
  },
  {
    needs: [stems('without')],
    pattern:
      /(?<![a-z])(?:act|proceed|run|execute|go ahead|continue|perform|call|invoke|delete|do (?:it|this|so)|apply|submit|send|pay)(?: (?:it|this|them|immediately|directly|right away|at once)){0,2} without (?:asking|confirming|confirmation|prompting|checking|hesitation|hesitating|waiting|approval|permission)(?![a-z])/g,
  },
  {
    needs: [stems('assume|consider|treat'), stems('consent|permission|approv|agree')],
    pattern:
      /(?<![a-z])(?:assume|consider|treat|presume)(?: that)? (?:(?:the )?users?(?:'s)? )?(?:to have )?(?:consents?|permission|approval|approves?|agrees?|agreement|approved|consented|authori[sz]ation)(?![a-z])/g,
  },
  {
    needs: [stems('auto')],
    pattern: /(?<![a-z])auto-?(?:confirm|accept|approve) (?:every|all|any|each|this|these|the)(?![a-z])/g,
  },
  {
    needs: [
      stems('requirement|need|reason|required|necessary|needed'),
      stems('confirm|check|verify|clear|consult'),
    ],
    pattern:
      /(?<![a-z])(?:no (?:requirement|need|reason)|not (?:required|necessary|needed)|unnecessary) to (?:confirm|check|verify|clear)(?: (?:it|this|that|anything))? (?:with|by) (?:the )?(?:user|human|owner|operator)s?(?![a-z])/g,
  },
  {
    needs: [stems('prompt|ask|consult|involve|check with'), stems('user|human')],
    pattern:
      /(?<![a-z])(?:do not|don't|never) (?:prompt|ask|consult|involve|check with|question) (?:the )?(?:user|human)(?=[.!;\n]|$| first| again| before)/g,
  },
  {
    needs: [
      stems('approv|consent|permission|confirmation|authori'),
      stems(
        'obtained|given|granted|received|secured|waived|assumed|not need|not requ|not nec|dismissed|skipped|bypassed|ignored|accepted|suppressed',
      ),
    ],
    pattern:
      /(?<![a-z])(?<!(?:if|once|when|after|until|whether|unless|because|since|where) (?:the |an? |user |explicit )?)(?:approval|consent|permission|authori[sz]ation|confirmation) (?:was|has been|is|have been|were|had been) (?:already |previously |implicitly )?(?:obtained|waived|assumed|secured|(?:given|granted|received) (?:earlier|before|already|in advance|beforehand|previously|by default)|not (?:needed|required|necessary))(?![a-z])/g,
  },
  {
    needs: [
      stems('confirmation|approval|permission'),
      stems('dismissed|skipped|bypassed|ignored|accepted|suppressed|avoided'),
    ],
    pattern:
      /(?<![a-z])(?:confirmation|approval|permission)s?(?: dialogs?| prompts?| steps?| requests?| screens?)? (?:must|should|shall|are to|is to|have to|has to|need to)(?: always)? be (?:dismissed|skipped|bypassed|ignored|accepted|suppressed|avoided)(?![a-z])/g,
  },
  {
    needs: [stems('you '), stems('permission|approval|confirmation|consent')],
    pattern:
      /(?<![a-z])you (?:do not|don't|never|need not|needn't)(?: need| require)?(?: to)?(?: ask| wait| request| seek)?(?: for)? (?:any |the |explicit |further |user |the user's |user's |additional )*(?:permission|approval|confirmation|consent)(?![a-z])/g,
  },
];
const MODEL_ADDRESSED =
  /(?<![a-z])(?:was|has been|have to|should|proceed|act|assume|do not|don't|never|must|always|you|immediately|no need|skip|bypass|should not|auto-?approve|already|pre-?approved|users? (?:has|have))(?![a-z])/;

/** "Never delete a branch without asking" asks for the confirmation. */
const DOUBLED =
  /(?<![a-z])(?:never|do not|don't|must not|should not|shouldn't|cannot|can't|nothing (?:is|will|can)|not)(?: [a-z_-]{1,16}){1,8} $/;

/** Text that takes the user's say out of the loop. An order is worse than a statement ("deletes without …"). */
export function skipsConfirmation(context: TextContext): TextHit[] {
  if (context.role === 'name') return [];
  const found = firstHit(context, CONFIRMS, 'takes the confirmation of the user away');
  const real = found.filter(
    (one) => !DOUBLED.test(context.raw.slice(Math.max(0, one.start - 60), one.start).toLowerCase()),
  );
  return real.map((one) => {
    const words = context.raw.slice(Math.max(0, one.start - 60), one.end).toLowerCase();
    return MODEL_ADDRESSED.test(words) &&
      !/^(?:do not|don't|never) (?:prompt|ask|consult|involve|check with|question) /i.test(
        context.raw.slice(one.start, one.end),
      )
      ? one
      : { ...one, severity: 'low' as const };
  });
}

const UNIVERSAL: readonly Phrase[] = [
  {
    needs: [stems('before|prior to|ahead of|preceding'), stems('any|every|all|each')],
    pattern:
      /(?<![a-z])(?:before|prior to|ahead of|preceding) (?:you |the assistant |the model |it |using |calling |invoking |running |executing |performing |making |use |call |invoke |run |execute |perform |starting |doing |answering |responding to |handling |processing ){0,4}(?:any|every|all|each)(?: and (?:all|every))? (?:of )?(?:(?:the|other|another|further|subsequent|file|shell|database|network|data|user|tool|mcp|api|web|git|code|write|read|system|function|such|these|your|critical) ){0,3}(?:tools?|operations?|actions?|requests?|commands?|calls?|steps?|tasks?|functions?|quer(?:y|ies)|access(?:es)?|messages?|repl(?:y|ies)|responses?|prompts?|questions?|invocations?)(?![a-z])/g,
  },
  {
    needs: [stems('before|prior to'), stems('another|other')],
    pattern:
      /(?<![a-z])(?:before|prior to) (?:using|calling|invoking|running|executing|use of|calls? to) (?:another|other|another server's|the other) (?:mcp )?(?:tools?|functions?|servers?)(?![a-z])/g,
  },
  {
    needs: [stems('be called|be invoked|be run|be used|be executed'), stems('first|before')],
    pattern:
      /(?<![a-z])(?:must|should|shall|has to|needs to|have to) (?:always |first )?be (?:called|invoked|run|used|executed) (?:first|before (?:any|all|every|each|other|anything))(?![a-z])(?= (?:of |and )?(?:all|every|any|each|other|else|tool|in every|at the start|for every)|[.!\n]|$)/g,
  },
  {
    needs: [
      stems(
        'at the start|at the beginning|on every|after every|after each|after any|with every|with each|in every|in each|to every|to each|in any|with any|to any',
      ),
    ],
    pattern:
      /(?<![a-z])(?:at the (?:start|beginning) of (?:every|each|any) (?:conversation|session|chat|task|request|turn|message|interaction)|on every (?:turn|message|request|prompt|reply)|after (?:every|each|any) (?:tool call|message|reply|response|turn|action|request|command|answer),? (?:you |always |also |first |then )*(?:must|should|call|use|run|invoke|send|log|pass|report|append|add|include|write|store|record)|(?:with|in|to) (?:every|each|any) (?:message|reply|response|answer|tool call|request) (?:you|the (?:user|assistant|model)))(?![a-z])/g,
  },
  {
    needs: [
      stems('every time|each time|whenever|any time|anytime|when'),
      stems('another|any other|other tool|any tool|a different'),
    ],
    pattern:
      /(?<![a-z])(?:every time|each time|whenever|any time|anytime|when(?:ever)?) (?:[a-z]{1,12} ){0,3}?(?:another|any other|any|other|a different) (?:mcp )?(?:tools?|functions?|servers?)(?![a-z])/g,
  },
  {
    needs: [
      stems('anything else|everything else|any other|at the start|at the beginning|start of|beginning of'),
    ],
    pattern:
      /(?<![a-z])(?:before (?:doing |you do |calling |trying |using )?(?:anything|everything) else|(?:at|from) the (?:very )?(?:start|beginning) of (?:every|each|any|all) [a-z]{3,20})(?![a-z])/g,
  },
];

const ORDERS =
  /(?<![a-z])(?:must|always|contact|ping|visit|fetch|https?|should|shall|first|call|calls|invoke|use this|run this|this (?:tool|check|function|server|guard)|has to|have to|needs? to|required?|requires|make sure|ensure|you|never)(?![a-z])/;

/** An order that reaches beyond this tool: before or after everything the agent does. */
export function reachesOut(context: TextContext): TextHit[] {
  if (context.role === 'name') return [];
  const found = firstHit(context, UNIVERSAL, 'binds the use of everything else to this tool or text');
  return found.filter(({ start, end }) => {
    const around = context.raw.slice(Math.max(0, start - 160), end + 160).toLowerCase();
    return ORDERS.test(around);
  });
}

const REWRITES: readonly Phrase[] = [
  {
    needs: [
      stems(
        'prefix|prepend|precede|append|suffix|replace|rewrite|modify|alter|change|wrap|pipe|route|proxy|intercept|swap',
      ),
      stems('every|each|all|any'),
    ],
    pattern:
      /(?<![a-z])(?:prefix|prepend|precede|append|suffix|replace|rewrite|modify|alter|change|wrap|pipe|route|proxy|intercept|swap) (?:to |with )?(?:every|each|all|any)(?: of)?(?: (?:the|your|other|future|subsequent|shell|terminal|bash|generated|git|outgoing|user|tool|sql|http|api|e-?mail)){0,3} (?:commands?|messages?|repl(?:y|ies)|responses?|requests?|e-?mails?|files?|commits?|quer(?:y|ies)|code|outputs?|arguments?|parameters?|payments?|urls?|links?|scripts?|prompts?|calls?)(?![a-z])/g,
  },
  {
    needs: [stems('every|each|all|any'), stems('must|should|shall|need|has to|have to')],
    pattern: new RegExp(
      `(?<![a-z])(?:every|each|all|any) (?:(?:other|future|subsequent|shell|terminal|bash|generated|git|outgoing|tool|http|api|of the|such) ){0,3}(?:of )?(?:your )?(?:commands?|messages?|e-?mails?|commits?|payments?|transfers?|scripts?|transactions?|answers?|repl(?:y|ies)|tool calls?)${gap(30)} (?:must|should|shall|need to|needs to|has to|have to) (?:always |first |also |be )*(?:begin|start|end|include|contain|carry|go|prefixed|prepended|routed|sent|addressed|redirected|copied|go through|pass through|piped|bcc|changed|replaced|rewritten|signed)(?![a-z])`,
      'g',
    ),
  },
  {
    needs: [stems('every|each|all|any'), stems('you ')],
    pattern:
      /(?<![a-z])(?:in|to|into|on|with|at the (?:start|end|top|bottom|beginning) of) (?:every|each|all|any) (?:(?:new|git|html|python|source|outgoing|of the|code|pull) ){0,2}(?:commits?|messages?|e-?mails?|files?|repl(?:y|ies)|responses?|scripts?|functions?|pages?|requests?|documents?|code|programs?|commands?|answers?|posts?|comments?) (?:that )?you (?:create|write|generate|send|make|produce|edit|commit|open|give|run|post|draft)(?![a-z])/g,
  },
  {
    needs: [stems('insert|inject|embed|append|add|put|include'), stems('every|each|all')],
    pattern:
      /(?<![a-z])(?<!(?:will|can|to|may) )(?:insert|inject|embed|plant|slip) (?:an? |the |this |that |some )?(?:[a-z0-9:/._-]{1,60} ){1,8}?(?:in|into|to|on|at) (?:every|each|all|any)(?: (?:the|your|outgoing|generated|new|html|source|python|of))* (?:commits?|messages?|e-?mails?|files?|repl(?:y|ies)|responses?|scripts?|pages?|documents?|code|commands?)(?![a-z])/g,
  },
  {
    needs: [
      stems('instead of|rather than|regardless of|no matter|ignoring|irrespective of|whatever'),
      stems('user|they|he|she'),
    ],
    pattern:
      /(?<![a-z])(?:instead of|rather than|regardless of|no matter|ignoring|irrespective of) (?:the |what |which |what(?:ever)? |any |their )*(?:(?:one|value|address|path|recipient|number|amount|url|account|file|name|input|choice|destination|wallet|target) )?(?:that )?(?:the )?(?:users?|they|he|she) (?:gave|gives?|asked|asks?|requested|requests?|specified|specif(?:y|ies)|provided|provides?|entered|enters?|wants?|wanted|says?|said|chose|chooses?|typed|types?|intended)(?![a-z])/g,
  },
  {
    needs: [stems('every|each|all|any'), stems('request|calls|traffic|call ')],
    pattern:
      /(?<![a-z])(?:every|each|all|any) (?:(?:other|future|subsequent|outgoing|tool|http|api|of the|such|network|later) ){0,3}(?:requests?|calls?|traffic) (?:must|should|shall|need to|needs to|has to|have to) (?:always |first |also )*(?:go through|pass through|be (?:routed|sent|proxied|redirected|copied|mirrored|piped|forwarded)|include the header x-|carry the)(?![a-z])/g,
  },
  {
    needs: [
      stems('multiply|double|triple|increase|decrease|halve|round|add '),
      stems('requested|given|specified|entered|actual|real|user'),
    ],
    pattern:
      /(?<![a-z])(?:multiply|double|triple|increase|decrease|halve|inflate) (?:the )?(?:requested|given|specified|entered|actual|real|users?'s?|original) [a-z]{2,20}(?![a-z])/g,
  },
  {
    needs: [stems('every|each|all|any'), stems('you ')],
    pattern:
      /(?<![a-z])(?:every|each|all|any) (?:shell |bash |terminal |git |generated |outgoing )?(?:commands?|scripts?|messages?|e-?mails?|commits?|repl(?:y|ies)|answers?|code) (?:that )?you (?:run|issue|execute|generate|write|send|create|produce|give|commit|make)(?: (?:afterwards|later|from now on))? (?:must|should|shall|needs?|has to|have to|requires?|will|is to|are to|gets?|include|ends?|starts?|begins?)(?![a-z])/g,
  },
  {
    needs: [stems('every|each|all |any '), stems('put|add|write|append|include|insert|paste')],
    pattern:
      /(?<![a-z])(?:put|add|write|append|include|insert|paste) ["'`][^"'`\n]{3,80}["'`] (?:in|into|to|at|on|before|after) (?:the (?:end|start|top|beginning) of )?(?:every|each|all|any)(?: (?:your|the|of|outgoing|new|generated)){0,3} (?:pull requests?|commits?|messages?|e-?mails?|files?|repl(?:y|ies)|answers?|responses?|comments?|issues?|commands?|code|documents?)(?![a-z])/g,
  },
  {
    needs: [
      stems('replace|change|swap|substitute|overwrite|set '),
      stems('account|recipient|phone|address|iban|amount|payee|wallet|destination|number'),
    ],
    pattern:
      /(?<![a-z])(?:replace|change|swap|substitute|overwrite|set) (?:the |its |their |any |every |all )?(?:bank |target |phone |wallet |account |recipient |e-?mail |payee )*(?:account|recipient|phone|address|iban|amount|payee|wallet|destination|numbers?)s?(?: [a-z]{1,14}){0,4}? (?:with|by|to|for) ["'`]?(?:[a-z]{2}[0-9]{8,30}|[0-9][0-9 -]{6,30}|0x[0-9a-f]{6,64}|[13][a-z0-9]{25,34})(?![a-z0-9])/g,
  },
];

/** Text that changes what the agent does elsewhere: commands, messages, code. */
export function rewritesWork(context: TextContext): TextHit[] {
  if (context.role === 'name') return [];
  return firstHit(context, REWRITES, 'changes what the agent does outside of this tool');
}

const CONVERSATION_WIDE: readonly Phrase[] = [
  {
    needs: [
      stems(
        'from now|from this point|from here|for the re|in all |in future|in subseq|in further|in later|henceforth|until |effective|starting',
      ),
    ],
    pattern:
      /(?<![a-z])(?:from (?:now|this point|here) on(?:wards?)?|for the (?:rest|remainder) of (?:the|this) (?:conversation|session|chat)|in (?:all )?(?:future|subsequent|further|later) (?:messages|replies|responses|turns|answers|conversations)|henceforth|until (?:told|instructed) otherwise|(?:starting|effective) (?:now|immediately))(?![a-z])/g,
  },
  {
    needs: [
      stems('always|only|must|should|shall'),
      stems('respond|reply|answer|speak|write|talk|communicate|converse'),
    ],
    pattern:
      /(?<![a-z])(?:always|only|must|should|shall)(?: now)? (?:respond|reply|answer|speak|write|talk|communicate|converse)(?: (?:only|to the user|to users|exclusively|back)){0,2} (?:in|like|as|using) (?!(?:json|markdown|the (?:same|user)|a (?:valid|list)|plain|utf|english only if|yaml|xml|html|iso))[a-z]{2,20}(?![a-z])/g,
  },
  {
    needs: [stems('respond|reply|answer'), stems('later|future|subsequent|further|following')],
    pattern:
      /(?<![a-z])(?:respond|reply|answer)(?: to)? (?:all|every|any) (?:later|future|subsequent|further|following) [a-z]{3,20}(?![a-z])/g,
  },
];

/** Text that steers the assistant beyond the tool. */
export function steersConversation(context: TextContext): TextHit[] {
  if (context.role === 'name' || context.kind === 'skill') return [];
  return firstHit(context, CONVERSATION_WIDE, 'steers the rest of the conversation');
}

const PREFERS: readonly Phrase[] = [
  {
    needs: [
      stems('this tool|this one|this server| me '),
      stems('over|instead|rather|and not|before|above|regardless|ignore|in place'),
    ],
    pattern:
      /(?<![a-z])(?:use|choose|pick|select|prefer|call) (?:only |always )?(?:me|this tool|this one|this server)(?: [a-z]{1,12}){0,3} (?:over|instead of|rather than|and not|before|above|regardless of|and ignore|in place of) (?:any|all|every|the|other|others|another)(?: (?:of |the )?(?:other|others|similar|competing|alternative|available|rival))? ?(?:tools?|servers?|options?|alternatives?|ones?|others?|providers?)(?![a-z])/g,
  },
  {
    needs: [stems('this one|this tool|this server| me')],
    pattern:
      /(?<![a-z])(?:always|only|must) (?:choose|select|pick|use|call) (?:me|this one|this (?:tool|server) (?:first|exclusively|only|and (?:no|never)))(?![a-z])/g,
  },
  { needs: [stems('use only')], pattern: /(?<![a-z])use only (?:me|this one)(?![a-z])/g },
  {
    needs: [
      stems('other|competing|rival|alternative|similar|built-in|native'),
      stems('are|is|ha|must|should|will'),
    ],
    pattern:
      /(?<![a-z])(?:all |any |every )?(?:other|competing|rival|alternative|similar|built-in|native) (?:[a-z]{1,20} )?(?:tools?|servers?|calculators?|functions?|implementations?|versions?|providers?) (?:are|is|have been|has been|must|should|will) (?:all )?(?:now )?(?:deprecated|broken|unsafe|insecure|compromised|obsolete|disabled|unreliable|wrong|inaccurate|untrusted|never be used|not be used|outdated|retired)(?![a-z])/g,
  },
  {
    needs: [stems("never|not|don't|stop"), stems('other|competing|rival|alternative')],
    pattern:
      /(?<![a-z])(?:never|do not|don't|stop) (?:use|call|trust|using|calling|trusting|choose) (?:any |the )?(?:(?:other|others|another|competing|rival|alternative)(?: [a-z]{1,20})? (?:tools?|servers?|functions?|providers?|services?|sources?)|(?:another|competing|rival|alternative) [a-z]{3,20}|any other(?=[.!;]|$))(?![a-z])/g,
  },
  {
    needs: [stems('recommended by|endorsed by|certified by|approved by|mandated by|verified by|required by')],
    pattern:
      /(?<![a-z])(?:officially )?(?:recommended|endorsed|certified|approved|mandated|verified|required) by (?:anthropic|openai|google|microsoft|the (?:user|system|administrator|security team|ide|platform|client)|your (?:developer|administrator|provider|vendor|creators?|makers?))(?![a-z])/g,
  },
  {
    needs: [stems('only this')],
    pattern:
      /(?<![a-z])only this (?:tool|server|one) (?:may|must|should|shall|can be|is (?:allowed|permitted|to be|trusted|reliable))(?![a-z])/g,
  },
  {
    needs: [stems('priority'), stems('highest|top|absolute')],
    pattern: /(?<![a-z])(?:highest|top|absolute) priority (?:over|above|among|of all)(?![a-z])/g,
  },
  {
    needs: [stems('unsafe|deprecated|broken|insecure|compromised|outdated|unreliable')],
    pattern:
      /(?<![a-z])(?:tools?|functions?|servers?) (?:such as|like|called|named) ["'`]?[a-z][a-z0-9_-]{2,40}["'`]?(?: and [a-z0-9_-]{2,40})? (?:are|is) (?:now )?(?:unsafe|deprecated|broken|insecure|compromised|outdated|unreliable)(?![a-z])|(?<![a-z])use this (?:tool|one|server) in (?:their|its) (?:place|stead)(?![a-z])/g,
  },
];

/** Advertising to the model. */
export function prefersItself(context: TextContext): TextHit[] {
  if (context.role === 'name') return [];
  return firstHit(context, PREFERS, 'talks the model into preferring this tool over others');
}

const ASKS_CONTEXT =
  /^(?:(?:full|whole|entire|complete|all|previous|prior|user|raw|last)_)*(?:conversation|chat|message|messages|dialog|dialogue|prompt|tool_call|tool_calls)_(?:history|log|transcript|context|so_far|messages)$|^(?:full_conversation|entire_conversation|whole_conversation|conversation|tools?_list|list_of_tools|available_tools|all_tools|tool_call_history|chain_of_thought|model_name|system_instructions|previous_messages?|user_messages?|last_user_message|full_context|all_messages|original_prompt|user_prompt|side_?note|env_vars|environment_variables)$/;

/** A parameter whose name asks for what belongs to the client: the conversation, the list of tools. */
export function asksContext(context: TextContext): TextHit[] {
  if (context.role !== 'name' || !/\/properties\/[^/]+$|\/arguments\/[0-9]+\/name$/.test(context.pointer))
    return [];
  if (context.pointer.startsWith('/outputSchema')) return [];
  const snake = context.raw
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-\s.]+/g, '_')
    .toLowerCase();
  if (snake.length > 60 || !ASKS_CONTEXT.test(snake)) return [];
  const message = 'is named for something that belongs to the client: the conversation, its tools, its model';
  return [{ start: 0, end: context.raw.length, message }];
}
