// A small MCP server over stdio, without any dependency: two tools over notes kept in memory.
import { createInterface } from 'node:readline';

const PROTOCOL = '2025-11-25';

const tools = [
  {
    name: 'add_note',
    description: 'Adds a note and returns its number.',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string', description: 'The text of the note.' } },
      required: ['text'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  },
  {
    name: 'list_notes',
    description: 'Lists all notes, oldest first.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
];

const notes = [];

const methods = {
  initialize: () => ({
    protocolVersion: PROTOCOL,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1.0.0' },
    instructions: 'Notes live until the server ends.',
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: given }) => {
    if (name === 'add_note') return text(String(notes.push(String(given?.text))));
    if (name === 'list_notes') return text(notes.join('\n'));
    throw new Error(`there is no tool ${name}`);
  },
};

function text(content) {
  return { content: [{ type: 'text', text: content }] };
}

function answer({ id, method, params }) {
  if (id === undefined) return;
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
  let reply;
  try {
    reply = run
      ? { result: run(params ?? {}) }
      : { error: { code: -32601, message: `there is no method ${method}` } };
  } catch (error) {
    reply = { error: { code: -32602, message: error.message } };
  }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') answer(JSON.parse(line));
}
