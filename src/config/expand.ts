import { parseDotenv } from './dotenv.ts';
import { Expansion, type ResolveOptions } from './expansion.ts';
import { literalArguments } from './literal-arguments.ts';
import { literalSecrets, namedLiteral } from './literal-secrets.ts';
import { resolveRemote } from './resolve-remote.ts';
import { containerVariables } from './source.ts';
import type { DeclaredServer, ResolvedServer, ResolvedStdio, StdioLaunch } from './types.ts';

export type { ResolveOptions } from './expansion.ts';

/**
 * Expands a server's launch as its client would. Throws `E_VARIABLE` naming the variable and the server when one is
 * not set (an empty one is) or when a reference is none of this client's: no server starts with literal `${…}`
 * text. Throws `E_ENV_FILE`, `E_URL` and `E_HEADER` for what is wrong after expansion. Messages hold no values.
 */
export function resolveServer(declared: DeclaredServer, options: ResolveOptions): ResolvedServer {
  const expansion = new Expansion(declared, options);
  const { launch } = declared;
  const resolved =
    launch.transport === 'stdio' ? resolveStdio(launch, expansion) : resolveRemote(launch, expansion);
  // Not where a variable's value is part of it: that differs between machines.
  const given = [...expansion.secrets.keys()];
  for (const [secret, name] of literalSecrets(resolved))
    expansion.addSecret(
      secret,
      given.some((value) => secret.includes(value)) ? name : namedLiteral(name, secret),
    );
  return {
    declared,
    launch: resolved,
    variables: [...expansion.variables],
    secrets: [...expansion.secrets.keys()],
    secretNames: expansion.secrets,
  };
}

function resolveStdio(launch: StdioLaunch, expansion: Expansion): ResolvedStdio {
  const { declared, options } = expansion;
  const env = new Map<string, string>();
  if (declared.client === 'claude-code' || declared.client === 'claude-plugin') {
    env.set('CLAUDE_PROJECT_DIR', declared.root);
    if (declared.client === 'claude-plugin') env.set('CLAUDE_PLUGIN_ROOT', declared.base ?? declared.root);
  }
  if (launch.envFile !== undefined) {
    const path = expansion.path(launch.envFile);
    const text = expansion.file(path, 'E_ENV_FILE');
    for (const [name, value] of parseDotenv(text)) {
      env.set(name, value);
      expansion.variables.add(name);
      expansion.addSecret(value, namedLiteral(name, value));
    }
  }
  const overridden = options.policy?.env;
  for (const [name, value] of launch.env) {
    // What the policy sets needs no value from the config.
    if (!overridden?.has(name)) env.set(name, expansion.text(value, 'env'));
  }
  for (const name of launch.passEnv) env.set(name, expansion.variable(name));
  for (const name of [...(launch.optionalEnv ?? []), ...(options.policy?.passEnv ?? [])]) {
    const value = expansion.lookup(name);
    if (value !== undefined) env.set(name, value);
  }
  for (const name of containerVariables(launch)) {
    const value = env.has(name) ? undefined : expansion.lookup(name);
    if (value !== undefined) env.set(name, value);
  }
  for (const name of overridden?.keys() ?? []) env.set(name, expansion.variable(name));
  const command = expansion.text(launch.command, 'command');
  const literal = literalArguments(launch, declared.client);
  const args = launch.args.flatMap((arg, index) => {
    const mode = literal.get(index);
    return mode ? [expansion.kept(arg, mode, env)] : expansion.argument(arg);
  });
  return {
    transport: 'stdio',
    command,
    args,
    env,
    cwd: launch.cwd === undefined ? declared.root : expansion.path(launch.cwd, 'cwd'),
  };
}
