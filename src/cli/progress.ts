import type { SurveyEvent } from '../survey.ts';
import { visibleLine } from '../util/hidden.ts';
import { type Io, tell } from './io.ts';

export interface Progress {
  report(event: SurveyEvent): void;
  /** Leaves the terminal clean. */
  end(): void;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Live lines, one a running server, on a terminal; elsewhere one plain line for each server that ended. */
export function createProgress(io: Io, options: { quiet: boolean }): Progress {
  if (options.quiet) return { report() {}, end() {} };
  return io.stderr.isTTY ? liveProgress(io) : plainProgress(io);
}

function endLine(event: SurveyEvent): string | undefined {
  const { state, text } = event;
  if (state !== 'done' && state !== 'failed' && state !== 'skipped') return undefined;
  const words = state === 'done' ? (text ?? 'listed') : `${state}${text === undefined ? '' : `: ${text}`}`;
  return `  ${visibleLine(event.server)}: ${visibleLine(words)}`;
}

function plainProgress(io: Io): Progress {
  return {
    report(event) {
      const line = endLine(event);
      if (line) tell(io, line);
    },
    end() {},
  };
}

function liveProgress(io: Io): Progress {
  const running = new Map<string, SurveyEvent['state']>();
  let drawn = 0;
  let frame = 0;
  const erase = (): string => (drawn > 0 ? `\x1b[${drawn}A\x1b[J` : '');
  const draw = (above: string): void => {
    const width = Math.max(20, (io.stderr.columns || 80) - 1);
    const names = [...running].slice(0, 12);
    const lines = names.map(([server, state]) =>
      `${FRAMES[frame % FRAMES.length]} ${visibleLine(server)}: ${state}`.slice(0, width),
    );
    if (running.size > names.length) lines.push(`  and ${running.size - names.length} more`);
    io.stderr.write(erase() + above + lines.map((line) => `${line}\n`).join(''));
    drawn = lines.length;
  };
  const timer = setInterval(() => {
    frame += 1;
    draw('');
  }, 100);
  timer.unref();
  return {
    report(event) {
      const line = endLine(event);
      if (line) running.delete(event.server);
      else running.set(event.server, event.state);
      draw(line ? `${line}\n` : '');
    },
    end() {
      clearInterval(timer);
      io.stderr.write(erase());
      drawn = 0;
    },
  };
}
