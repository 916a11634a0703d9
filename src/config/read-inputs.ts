import { type ConfigMember, type ConfigNode, member, memberAt, uniqueMemberAt } from './config-node.ts';
import type { Reading } from './read-servers.ts';
import type { ClientId, DeclaredInput } from './types.ts';

/**
 * What a config says about the values its references ask for: VS Code's `inputs`, a bundle's or plugin's
 * `user_config`. Also Gemini's `mcp.allowed` and `mcp.excluded`, set on the reading. What has a wrong shape is
 * left out: the reference to it is then an error of its server.
 */
export function readInputs(tree: ConfigNode, client: ClientId, reading: Reading): Map<string, DeclaredInput> {
  if (client === 'gemini' || client === 'qwen') readAllowed(tree, reading);
  if (client === 'vscode') return vscodeInputs(tree);
  if (client === 'mcpb') return userConfig(uniqueMemberAt(reading.file, tree, ['user_config']));
  if (client === 'claude-plugin') {
    return userConfig(
      uniqueMemberAt(reading.file, tree, ['userConfig']) ??
        uniqueMemberAt(reading.file, tree, ['user_config']),
    );
  }
  return new Map();
}

function vscodeInputs(tree: ConfigNode): Map<string, DeclaredInput> {
  const inputs = new Map<string, DeclaredInput>();
  const list = (member(tree, 'inputs') ?? memberAt(tree, ['mcp', 'inputs']))?.node;
  if (list?.kind !== 'array') return inputs;
  for (const item of list.items) {
    const id = text(member(item, 'id'));
    if (id !== undefined) inputs.set(id, { required: true, secret: truth(member(item, 'password')) });
  }
  return inputs;
}

function userConfig(found: ConfigMember | undefined): Map<string, DeclaredInput> {
  const inputs = new Map<string, DeclaredInput>();
  if (found?.node.kind !== 'object') return inputs;
  for (const { key, node } of found.node.members) {
    const input: DeclaredInput = {
      required: truth(member(node, 'required')),
      secret: truth(member(node, 'sensitive')),
    };
    const value = member(node, 'default')?.node;
    if (value?.kind === 'array') input.default = value.items.flatMap((item) => scalarText(item) ?? []);
    else if (value && scalarText(value) !== undefined) input.default = [scalarText(value) ?? ''];
    inputs.set(key, input);
  }
  return inputs;
}

function readAllowed(tree: ConfigNode, reading: Reading): void {
  const names = (key: string): Set<string> | undefined => {
    const list = uniqueMemberAt(reading.file, tree, ['mcp', key])?.node;
    return list?.kind === 'array' ? new Set(list.items.flatMap((item) => scalarText(item) ?? [])) : undefined;
  };
  const allowed = names('allowed');
  const excluded = names('excluded');
  reading.excluded = (name) => {
    if (excluded?.has(name)) return `named in "mcp.excluded" in ${reading.file}`;
    return allowed && !allowed.has(name) ? `not named in "mcp.allowed" in ${reading.file}` : undefined;
  };
}

/** The text of a scalar that is not null. */
export function scalarText(node: ConfigNode): string | undefined {
  return node.kind === 'scalar' && node.value !== null ? String(node.value) : undefined;
}

function text(found: ConfigMember | undefined): string | undefined {
  return found && scalarText(found.node);
}

function truth(found: ConfigMember | undefined): boolean {
  return found?.node.kind === 'scalar' && found.node.value === true;
}
