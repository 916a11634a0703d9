import type { StdioOptions } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';

let leaking: number[] | undefined;
let nullFile: number | undefined;

/**
 * Pipes for the three standard streams, and nothing behind the others: descriptors that this process was itself
 * started with, and that would pass on to every child (the runner's, a shell's), are covered with `/dev/null`.
 */
export function sealedStdio(): StdioOptions {
  const stdio: (number | 'pipe' | 'ignore')[] = ['pipe', 'pipe', 'pipe'];
  leaking ??= leakingDescriptors();
  for (const descriptor of leaking) {
    nullFile ??= openSync('/dev/null', 'r+');
    while (stdio.length < descriptor) stdio.push('ignore');
    stdio[descriptor] = nullFile;
  }
  return stdio;
}

/** Open descriptors above 2 without close-on-exec. Linux only; Node opens its own with it. */
function leakingDescriptors(): number[] {
  const found: number[] = [];
  let names: string[];
  try {
    names = readdirSync('/proc/self/fdinfo');
  } catch {
    return found;
  }
  for (const name of names) {
    const descriptor = Number(name);
    if (descriptor < 3 || descriptor > 4096) continue;
    try {
      const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'utf8'))?.[1];
      // O_CLOEXEC is 02000000.
      if (flags !== undefined && (Number.parseInt(flags, 8) & 0o2000000) === 0) found.push(descriptor);
    } catch {
      // The descriptor of the listing itself.
    }
  }
  return found.sort((a, b) => a - b);
}
