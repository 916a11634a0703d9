import { isObject, type Json, type JsonObject, own } from '../util/json.ts';

/** RFC 5424, from the least to the most urgent: the levels of MCP's logging. */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

/** Characters of a progress message, and of a log message as JSON. What is longer is cut, or dropped. */
const MAX_PROGRESS = 4_096;
const MAX_LOG = 64 * 1024;
const MAX_LOGGER = 200;

export interface LogMessage {
  /** Index in {@link LOG_LEVELS}. */
  level: number;
  params: JsonObject;
}

/** The index of a level; undefined when it is none. */
export function logLevel(value: Json | undefined): number | undefined {
  const index = LOG_LEVELS.findIndex((level) => Object.is(level, value));
  return index === -1 ? undefined : index;
}

/**
 * The params of a `notifications/progress` written anew for a client's own token: numbers, and a text of bounded length.
 * Undefined when they are not as the protocol wants them, and when nothing went on since `before`.
 */
export function progressFor(
  token: string | number,
  params: JsonObject,
  before: number,
): { progress: number; params: JsonObject } | undefined {
  const progress = own(params, 'progress');
  const total = own(params, 'total');
  const message = own(params, 'message');
  if (typeof progress !== 'number' || !Number.isFinite(progress) || progress <= before) return undefined;
  const written: JsonObject = { progressToken: token, progress };
  if (typeof total === 'number' && Number.isFinite(total)) written.total = total;
  if (typeof message === 'string') written.message = message.slice(0, MAX_PROGRESS).toWellFormed();
  return { progress, params: written };
}

/** A `notifications/message` of a server written anew; undefined when it is not as the protocol wants it, or too long. */
export function logMessage(params: JsonObject): LogMessage | undefined {
  const level = logLevel(own(params, 'level'));
  const logger = own(params, 'logger');
  const data = own(params, 'data');
  if (level === undefined || data === undefined) return undefined;
  const written: JsonObject = { level: LOG_LEVELS[level] ?? 'info', data };
  if (typeof logger === 'string') written.logger = logger.slice(0, MAX_LOGGER).toWellFormed();
  return fits(written) ? { level, params: written } : undefined;
}

function fits(params: JsonObject): boolean {
  try {
    return JSON.stringify(params).length <= MAX_LOG;
  } catch {
    // Nested too deep to be written.
    return false;
  }
}

/** The URI of a `notifications/resources/updated`. */
export function updatedUri(params: JsonObject): string | undefined {
  const uri = own(params, 'uri');
  return typeof uri === 'string' ? uri : undefined;
}

/** The token of a request that asks for progress: a string, or a whole number. */
export function progressToken(params: JsonObject): string | number | undefined {
  const meta = own(params, '_meta');
  const token = isObject(meta) ? own(meta, 'progressToken') : undefined;
  if (typeof token === 'string' || (typeof token === 'number' && Number.isInteger(token))) return token;
  return undefined;
}
