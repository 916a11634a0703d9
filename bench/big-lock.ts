import { NO_POLICY, serverPolicy } from '../src/config/policy.ts';
import { pinSurface } from '../src/lock/pin.ts';
import type { Lock, LockedServer } from '../src/lock/types.ts';
import type { Json } from '../src/util/json.ts';

/** A tool whose JSON is about 2.5 kB, as a busy real one is. */
function tool(index: number, wording: string): Json {
  const properties = Object.fromEntries(
    Array.from({ length: 8 }, (_, each) => [
      `parameter_${each}`,
      {
        type: 'string',
        description: `${wording} ${each} of tool ${index}. ${'It is used as it is given. '.repeat(6)}`,
      },
    ]),
  );
  return {
    name: `tool_${index}`,
    description: `${wording} ${index}. ${'One plain sentence about what it does. '.repeat(10)}`,
    inputSchema: { type: 'object', properties, required: ['parameter_0'], additionalProperties: false },
    annotations: { readOnlyHint: true },
  };
}

/** A lock of ten servers with `tools` tools in all; the first `changed` of them differ in wording. */
export function bigLock(tools: number, changed: number): Lock {
  const servers = new Map<string, LockedServer>();
  const perServer = Math.ceil(tools / 10);
  for (let server = 0; server < 10; server++) {
    const key = `server-${server}`;
    const list = Array.from({ length: perServer }, (_, each) => {
      const index = server * perServer + each;
      return tool(index, index < changed ? 'Another value' : 'The value');
    });
    const { entry } = pinSurface(
      {
        protocolVersion: '2025-11-25',
        transport: 'stdio',
        tools: list,
        prompts: [],
        resources: [],
        resourceTemplates: [],
        asked: [],
      },
      {
        server: key,
        paths: {},
        policy: serverPolicy(NO_POLICY, key),
        launch: { command: 'node', args: ['server.mjs'] },
        source: { type: 'local', path: 'server.mjs' },
        config: '.mcp.json',
      },
    );
    servers.set(key, entry);
  }
  return {
    lockfileVersion: 1,
    agentgateVersion: '0.1.0',
    generatedAt: '2026-01-01T00:00:00Z',
    servers,
    extra: {},
  };
}
