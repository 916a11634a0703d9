import { type JsonObject, own, setOwn } from '../util/json.ts';
import { launchRecord } from './launch-record.ts';
import type { DeclaredServer } from './types.ts';

/**
 * How clients start a server through AgentGate's proxy, for the lock: by config file and entry the launch of the proxy as
 * `launchRecord` gives it, and `{"direct": true}` for an entry of a client's file that goes around it. A file that was read
 * and has no such entry is `null`: that is compared, and never written.
 */
export function gateRecord(
  declared: DeclaredServer,
  options: { cwd: string; files: readonly string[]; redact: (text: string) => string },
): JsonObject {
  const record: JsonObject = {};
  for (const file of options.files) setOwn(record, file, null);
  const put = (file: string, name: string, value: JsonObject): void => {
    const entries = (own(record, file) ?? {}) as JsonObject;
    setOwn(entries, name, value);
    setOwn(record, file, entries);
  };
  for (const { config, name, entry } of declared.gates ?? [])
    put(config, name, { ...launchRecord(entry, { ...options, variables: [] }) });
  for (const { config, name } of declared.besides ?? []) put(config, name, { direct: true });
  return record;
}
