import { wordSet } from '../config/options.ts';

/** Options of `docker run` that concern the container alone, as podman and nerdctl know them too: with a value. */
const VALUED = wordSet(`
  -a --attach --annotation --cpus --cpu-shares -c --cpuset-cpus --dns --dns-option --dns-search -e --env
  --entrypoint --env-file --expose --health-cmd --health-interval --health-retries --health-timeout -h --hostname --ip
  --ip6 -l --label --label-file --log-driver --log-opt --mac-address -m --memory --memory-reservation --memory-swap --name
  --network-alias --platform -p --publish --pids-limit --pull --restart --shm-size --stop-signal --stop-timeout --tmpfs
  --ulimit -u --user -w --workdir --cap-drop --security-opt --network --net -v --volume --mount`);
/** The same without one. */
const SWITCHES = wordSet(
  '-d --detach -i --interactive --init --no-healthcheck -P --publish-all -q --quiet --read-only --rm --sig-proxy -t --tty',
);
const ALONE = /^-[itdqP]+$/;

/** One option as it stands in the arguments. */
export interface ContainerOption {
  name: string;
  /** Empty for a switch. */
  value: string;
  /** Where the value stands, and what stands before it in the same word. */
  at: number;
  prefix: string;
}

/**
 * The options of `docker run …` up to the image; the first that is none of the container's alone as `other`, be it
 * another command. `args` are those behind the program's name.
 */
export function containerOptions(args: readonly string[]): { options: ContainerOption[]; other?: string } {
  const start = args[0] === 'container' ? 1 : 0;
  const options: ContainerOption[] = [];
  if (args[start] !== 'run') return { options, other: args[start] ?? '' };
  for (let index = start + 1; index < args.length; index++) {
    const word = args[index] ?? '';
    if (!word.startsWith('-') || word === '-' || word === '--') break;
    if (ALONE.test(word)) continue;
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const name = equals > 0 ? word.slice(0, equals) : word.startsWith('--') ? word : word.slice(0, 2);
    if (SWITCHES.has(name) && (equals > 0 || name === word)) continue;
    if (!VALUED.has(name)) return { options, other: name };
    if (equals > 0) options.push({ name, value: word.slice(equals + 1), at: index, prefix: `${name}=` });
    else if (name !== word) {
      // `-eNAME`, and `-e=NAME` as Go reads it.
      const prefix = word[2] === '=' ? `${name}=` : name;
      options.push({ name, value: word.slice(prefix.length), at: index, prefix });
    } else options.push({ name, value: args[++index] ?? '', at: index, prefix: '' });
  }
  return { options };
}
