import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One temporary folder for a whole run of the tests, gone with all that they left in it. */
export default function setup(): () => void {
  const before = { TMPDIR: process.env.TMPDIR, TEMP: process.env.TEMP, TMP: process.env.TMP };
  // Not agentgate-: an isolated server is shown no such folder, whatever its config names.
  const folder = mkdtempSync(join(tmpdir(), 'gate-tests-'));
  // Some tests run as another user.
  chmodSync(folder, 0o755);
  for (const name of Object.keys(before)) process.env[name] = folder;
  return () => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
