import type { Signal } from './signals.ts';
import { FEW, NOT, USER } from './words.ts';

/** Data of a listing that a person seldom wants to read: identifiers, dates. Never what a model does. */
const DETAIL =
  '(?:(?:the|their|its|any|raw|internal|numeric) ){0,2}(?:(?!(?:cop|step|transf|upload|forward|call|recipient|bcc|pay|charg|delet|action|access|request|side|hid|secret|password|account|server|instruct|or |and )[a-z-]*)[a-z-]{1,20} ){0,2}(?:ids?|uuids?|identifiers?|dates?|timestamps?|statuses|slugs)(?![a-z])';
const LIST = `${DETAIL}(?:(?:, and |, or |, | and | or )${DETAIL}){0,5}`;
const SAY = '(?:tell|show|mention|list|display|report|repeat|read out|giv|return)(?:e|ing)?';
const ASKED =
  '(?:they|the user|he|she|explicitly|specifically|directly|you are|asked|requested)[^.!?\\n]{0,60}?(?:ask|request|want|need)(?:s|ed)?|(?:explicitly |specifically |directly )?(?:asked|requested)';
const SPARED = new RegExp(
  `^${NOT}${FEW} ${SAY} (?:(?:to )?(?:the |your )?${USER} (?:about )?${LIST}|(?:about )?${LIST} (?:to|for|with) (?:the |your )?${USER}),? (?:unless|until) (?:${ASKED})(?![a-z])`,
);

/**
 * "Do not read out the record ids to the user unless they ask": an answer is kept short, and whoever asks is told. `text`
 * is in lower case.
 */
export function sparesDetails(text: string, { start }: Signal): boolean {
  return SPARED.test(text.slice(start, start + 300));
}
