/** Where an error sits, as far as it is known. `file` is relative to the working directory, `/`-separated. */
export interface ErrorPlace {
  file?: string;
  /** 1-based. */
  line?: number;
  /** 1-based. */
  column?: number;
  /** The server's key in the lock. */
  server?: string;
}

/**
 * Every expected failure. `code` is stable and scripted against; `message` is one sentence that says what is
 * wrong, where, and what to do next, and never holds a secret.
 */
export class AgentGateError extends Error {
  readonly code: string;
  readonly place: ErrorPlace;

  constructor(code: string, message: string, place: ErrorPlace = {}, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AgentGateError';
    this.code = code;
    this.place = place;
  }
}

/** The text of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An error of the operating system, such as `ENOSPC`: nobody's fault in this program. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'errno' in error;
}

/**
 * A message behind its place: `.mcp.json:2:20` and ` is not JSON …`, or `: …` when the message does not begin with the
 * file's name. The place is empty when nothing is known that the message does not say.
 */
export function placed(message: string, place: ErrorPlace): { place: string; rest: string } {
  const { file, line, column } = place;
  if (file === undefined || (line === undefined && message.includes(file)))
    return { place: '', rest: message };
  const where = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined);
  const rest = message.startsWith(`${file} `) ? message.slice(file.length) : `: ${message}`;
  return { place: where.join(':'), rest };
}
