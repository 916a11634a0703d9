import type { TextContext, TextHit } from '../rule.ts';
import { firstHit, type Phrase, stems } from './signals.ts';

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
