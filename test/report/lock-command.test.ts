import { expect, test } from 'vitest';
import { lockCommand } from '../../src/report/lock-command.ts';
import type { Report } from '../../src/report/model.ts';
import { report } from './fixtures.ts';

const NPX = 'npx @agentgate/agentgate lock';
const of = (scope: Report['scope'], keys?: string[]) => lockCommand(report({ scope }), keys).text;

test('the command looks at what the check looked at', () => {
  expect(of(undefined)).toBe(NPX);
  expect(of(undefined, ['a', 'b'])).toBe(`${NPX} a b`);
  expect(of({ config: ['**/.mcp.json', 'mcp.json'] }, ['a'])).toBe(
    `${NPX} a --config "**/.mcp.json" mcp.json`,
  );
  expect(of({ skills: true })).toBe(`${NPX} --skills`);
  expect(of({ skills: 'tools/my skills' })).toBe(`${NPX} --skills "tools/my skills"`);
  expect(of({ skills: true, allClients: true }, ['skills:.claude/skills'])).toBe(
    `${NPX} skills:.claude/skills --all-clients`,
  );
});

test('nothing that a shell would take for its own gets into the command', () => {
  for (const bad of ['$(id)', '`id`', 'a"; id; "', '-x', '\\', '!x', 'a\nb', '']) {
    const command = lockCommand(report({ scope: { config: [bad], skills: bad } }));
    expect(command).toEqual({ text: `${NPX} --skills`, lacksConfigs: true });
  }
});

test('of many configs the words tell', () => {
  const config = ['a', 'b', 'c', 'd', 'e'];
  expect(lockCommand(report({ scope: { config } }))).toEqual({ text: NPX, lacksConfigs: true });
});
