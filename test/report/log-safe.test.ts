import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logSafe, withoutCommands } from '../../src/util/log-safe.ts';
import { hostileText } from './hostile.ts';

/** How the runner reads a line (`ActionCommand.cs`): lines end at LF, CRLF and CR; .NET trims Unicode white space. */
function commandsIn(output: string): string[] {
  return output.split(/\r\n|\n|\r/).filter((line) => line.trim().startsWith('::') || line.includes('##['));
}

describe('logSafe', () => {
  test.each([
    ['::error::x', ': :error::x'],
    ['  ::error::x', '  : :error::x'],
    ['a ::error::x', 'a ::error::x'],
    ['text\r::error::x', 'text⟨U+000D⟩::error::x'],
    ['text\n::error::x', 'text\n: :error::x'],
    ['\u0085::error::x', '⟨U+0085⟩::error::x'],
    ['a##[error]x', 'a## [error]x'],
    ['###[error]x', '### [error]x'],
    [':::x', ': ::x'],
    ['\u001b[31mred', '⟨U+001B⟩[31mred'],
    ['std::vector', 'std::vector'],
  ])('%j', (text, expected) => {
    expect(logSafe(text)).toBe(expected);
    expect(commandsIn(logSafe(text))).toEqual([]);
  });

  test('no text is a command for the runner, nor moves a terminal', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const safe = logSafe(text);
        expect(commandsIn(safe)).toEqual([]);
        expect(safe).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        expect(logSafe(safe)).toBe(safe);
      }),
      { numRuns: 1_000 },
    );
  });

  test('our own colours hide no command', () => {
    expect(withoutCommands('\u001b[31m::error::x\u001b[39m')).toBe('\u001b[31m: :error::x\u001b[39m');
  });
});
