import type { TextContext, TextHit } from '../rule.ts';
import { firstHit, type Phrase, stems } from './signals.ts';
import { gap } from './words.ts';

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
