import { isAbsolute, join } from 'node:path';
import { traitsOf } from './clients.ts';
import { type ConfigNode, member, type ObjectNode } from './config-node.ts';
import { EntryReader } from './entry-values.ts';
import type { ClientId, Launch, RemoteLaunch, StdioLaunch } from './types.ts';

/** What one entry is read with. */
export interface EntryContext {
  client: ClientId;
  file: string;
  /** Absolute workspace folder. */
  root: string;
  /** The entry's name, for messages. */
  name: string;
  /** Takes a remark about the entry. */
  note: (code: string, message: string) => void;
}

const TYPES: Record<string, Launch['transport'] | 'refused'> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamablehttp: 'http',
  streamable_http: 'http',
  sse: 'sse',
  remote: 'auto',
  ws: 'refused',
  websocket: 'refused',
  tcp: 'refused',
};

/**
 * Reads an entry's launch as its client would. Throws `E_CONFIG_INVALID` with line and column when it declares
 * no server, two, or one of a wrong shape.
 */
export function readLaunch(entry: ObjectNode, context: EntryContext): Launch {
  const reader = new EntryReader(context.file, `Server ${JSON.stringify(context.name)}`);
  const nested = member(entry, 'transport');
  const node = nested?.node.kind === 'object' ? nested.node : entry;
  const transport = declaredTransport(node, reader);
  const urlMember = reader.first(node, 'httpUrl', 'url', 'serverUrl');
  const commandMember = member(node, 'command');
  const gemini = context.client === 'gemini' || context.client === 'qwen';
  if (transport === 'stdio' || (!urlMember && commandMember)) {
    if (!commandMember) return reader.fail(node, `${reader.what} has no "command".`);
    return readStdio(node, commandMember.node, context, reader);
  }
  if (!urlMember)
    return reader.fail(node, `${reader.what} has neither "command" nor "url": give it one of them.`);
  if (commandMember && transport === undefined && !gemini) {
    reader.fail(
      commandMember,
      `${reader.what} has both "command" and ${JSON.stringify(urlMember.key)}; keep one.`,
    );
  }
  return readRemote(
    node,
    reader.text(urlMember.node, urlMember.key),
    urlMember.key,
    transport,
    context,
    reader,
  );
}

function declaredTransport(node: ConfigNode, reader: EntryReader): Launch['transport'] | undefined {
  const found = reader.first(node, 'type', 'transportType') ?? member(node, 'transport');
  if (!found || found.node.kind === 'object') return undefined;
  const text = reader.text(found.node, found.key);
  const type = Object.hasOwn(TYPES, text.toLowerCase()) ? TYPES[text.toLowerCase()] : undefined;
  if (type === undefined || type === 'refused') {
    const why = type === 'refused' ? 'cannot be checked' : 'is not known';
    reader.fail(found, `${reader.what}: type ${JSON.stringify(text)} ${why}; use "stdio", "http" or "sse".`);
  }
  return type;
}

function readStdio(
  node: ObjectNode,
  commandNode: ConfigNode,
  context: EntryContext,
  reader: EntryReader,
): StdioLaunch {
  let words: string[];
  let holder: ConfigNode = node;
  if (commandNode.kind === 'array') {
    words = [...reader.strings(node, 'command'), ...reader.strings(node, 'args')];
  } else if (commandNode.kind === 'object') {
    // The older form of Zed: command: { path, args, env }.
    holder = commandNode;
    words = [reader.string(commandNode, 'path') ?? '', ...reader.strings(commandNode, 'args')];
  } else {
    words = [reader.text(commandNode, 'command'), ...reader.strings(node, 'args')];
  }
  const [command = '', ...args] = words;
  if (command.trim() === '') reader.fail(commandNode, `${reader.what} has an empty "command".`);
  const launch: StdioLaunch = {
    transport: 'stdio',
    command,
    args,
    env: reader.map(holder, 'env', 'environment'),
    passEnv: readPassEnv(node, reader),
  };
  for (const name of [...launch.env.keys(), ...launch.passEnv]) {
    if (name === '' || /[=\0]/.test(name)) {
      reader.fail(node, `${reader.what}: ${JSON.stringify(name)} is no name of a variable.`);
    }
  }
  const cwd = reader.string(node, 'cwd');
  if (cwd !== undefined && cwd !== '') launch.cwd = absolute(context.root, cwd);
  const envFile = reader.string(node, 'envFile');
  if (envFile !== undefined && envFile !== '') launch.envFile = absolute(context.root, envFile);
  return launch;
}

/** Joined to the workspace, unless it is absolute or starts with a reference that is yet to be expanded. */
function absolute(root: string, path: string): string {
  return isAbsolute(path) || path.startsWith('${') || path.startsWith('$') ? path : join(root, path);
}

/** Codex: `env_vars = ["NAME", { name = "NAME", source = "local" }]`. */
function readPassEnv(node: ObjectNode, reader: EntryReader): string[] {
  const found = member(node, 'env_vars');
  if (!found) return [];
  if (found.node.kind !== 'array') return reader.fail(found, `${reader.what}: "env_vars" must be a list.`);
  return found.node.items.map((item) => {
    if (item.kind === 'object')
      return (
        reader.string(item, 'name') ??
        reader.fail(item, `${reader.what}: an entry of "env_vars" has no "name".`)
      );
    return reader.text(item, 'env_vars');
  });
}

function readRemote(
  node: ObjectNode,
  url: string,
  urlKey: string,
  declared: Launch['transport'] | undefined,
  context: EntryContext,
  reader: EntryReader,
): RemoteLaunch {
  const { client } = context;
  const traits = traitsOf(client);
  let transport: RemoteLaunch['transport'] = traits.untypedUrl;
  if (urlKey === 'httpUrl') transport = 'http';
  else if (declared !== undefined && declared !== 'stdio') {
    // VS Code and opencode try Streamable HTTP, then HTTP+SSE.
    transport = declared === 'http' && client === 'vscode' ? 'auto' : declared;
  } else if (traits.typeRequired) {
    context.note(
      'W_TYPE_MISSING',
      `Server ${JSON.stringify(context.name)} has a url and no "type": ${traits.label} refuses it; add "type": "http" or "sse".`,
    );
  }
  if (member(node, 'headersHelper')) {
    context.note(
      'W_HEADERS_HELPER',
      `Server ${JSON.stringify(context.name)} has a "headersHelper", which is never run here: its headers are missing.`,
    );
  }
  if (member(node, 'bearer_token')) {
    reader.fail(node, `${reader.what}: Codex refuses "bearer_token"; use "bearer_token_env_var".`);
  }
  const launch: RemoteLaunch = {
    transport,
    url,
    headers: reader.map(node, 'headers', 'http_headers'),
    variableHeaders: reader.map(node, 'env_http_headers'),
  };
  const bearer = reader.string(node, 'bearer_token_env_var');
  if (bearer !== undefined) launch.bearerTokenVariable = bearer;
  const oauth = readOauth(node, reader);
  if (oauth) launch.oauth = oauth;
  return launch;
}

/** Client credentials, when the entry has both; everything else needs a browser and is left to the client. */
function readOauth(node: ObjectNode, reader: EntryReader): RemoteLaunch['oauth'] {
  const found = reader.first(node, 'oauth', 'auth');
  if (found?.node.kind !== 'object') return undefined;
  const clientId = reader.string(found.node, 'clientId', 'client_id', 'CLIENT_ID');
  const clientSecret = reader.string(found.node, 'clientSecret', 'client_secret', 'CLIENT_SECRET');
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const oauth: NonNullable<RemoteLaunch['oauth']> = { clientId, clientSecret };
  const scopes = reader.first(found.node, 'scope', 'scopes');
  if (scopes) {
    oauth.scope =
      scopes.node.kind === 'array'
        ? reader.strings(found.node, scopes.key).join(' ')
        : reader.text(scopes.node, scopes.key);
  }
  const issuer = reader.string(found.node, 'issuer');
  if (issuer !== undefined) oauth.issuer = issuer;
  return oauth;
}
