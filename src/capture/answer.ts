import { isObject, type Json, own } from '../util/json.ts';
import type { JsonProblem } from '../util/strict-json.ts';
import type { Incoming } from './channel.ts';

/** What a server said to a request of ours. */
export type Answer = { problems: JsonProblem[]; bytes: number; values: number; weight: number } & (
  | { ok: true; result: Json }
  | { ok: false; error: { code: number | undefined; message: string; data?: Json } }
);

/** The answer that a message holds; undefined when it has neither a result nor an error. */
export function answerOf({ message, problems, bytes, values, weight }: Incoming): Answer | undefined {
  const size = { problems, bytes, values, weight };
  if (Object.hasOwn(message, 'result')) return { ok: true, result: own(message, 'result') as Json, ...size };
  const error = own(message, 'error');
  if (!isObject(error)) return undefined;
  const code = own(error, 'code');
  const text = own(error, 'message');
  const data = own(error, 'data');
  return {
    ok: false,
    error: {
      code: typeof code === 'number' ? code : undefined,
      message: typeof text === 'string' ? text : '',
      ...(data === undefined ? {} : { data }),
    },
    ...size,
  };
}
