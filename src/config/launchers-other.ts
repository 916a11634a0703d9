import type { Launched } from './launchers-npm.ts';
import { readOptions, valuesOf, wordSet } from './options.ts';
import type { Origin } from './origin.ts';
import { imageSpec } from './package-spec.ts';

/** Options of `docker run` (and podman, nerdctl) that take a value: Docker's command reference. */
const RUN_VALUES = wordSet(`
  -a --attach --add-host --annotation --blkio-weight --blkio-weight-device --cap-add --cap-drop --cgroup-parent
  --cgroupns --cidfile -c --cpu-count --cpu-percent --cpu-period --cpu-quota --cpu-rt-period --cpu-rt-runtime
  --cpu-shares --cpus --cpuset-cpus --cpuset-mems --detach-keys --device --device-cgroup-rule --device-read-bps
  --device-read-iops --device-write-bps --device-write-iops --dns --dns-opt --dns-option --dns-search --domainname
  --entrypoint -e --env --env-file --expose --gpus --group-add --health-cmd --health-interval --health-retries
  --health-start-interval --health-start-period --health-timeout -h --hostname --io-maxbandwidth --io-maxiops --ip
  --ip6 --ipc --isolation --kernel-memory -l --label --label-file --link --link-local-ip --log-driver --log-opt
  --mac-address -m --memory --memory-reservation --memory-swap --memory-swappiness --mount --name --net --network
  --network-alias --net-alias --oom-score-adj --pid --pids-limit --platform -p --publish --pull --restart --runtime
  --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit -u --user --userns
  --uts -v --volume --volume-driver --volumes-from -w --workdir --arch --os --pod --secret --requires --authfile
  --systemd --tz --umask --variant --image-volume --uidmap --gidmap --subuidname --subgidname
`);
const GLOBAL_VALUES = wordSet(
  '-c --context --config -H --host -l --log-level --tlscacert --tlscert --tlskey --connection --url --namespace -n --address -a',
);

/** `docker run`, `podman run`, `docker container run`; everything else of them works on what is there already. */
export function container(words: readonly string[]): Launched | undefined {
  const global = readOptions(words, { values: GLOBAL_VALUES });
  let rest = global.rest;
  if (rest[0] === 'container') rest = rest.slice(1);
  if (rest[0] !== 'run') return undefined;
  const parsed = readOptions(rest.slice(1), { values: RUN_VALUES, attached: true });
  const [image, ...args] = parsed.rest;
  return image === undefined ? undefined : { origin: imageSpec(image), args };
}

/** Names that `docker run` passes on from its own environment: `-e NAME` without a value. */
export function forwardedVariables(words: readonly string[]): string[] {
  const { options } = readOptions(words, { values: GLOBAL_VALUES });
  const start = words.indexOf('run');
  if (start < 0 || options.length > start) return [];
  const parsed = readOptions(words.slice(start + 1), { values: RUN_VALUES, attached: true });
  return valuesOf(parsed, '-e', '--env').filter((value) => /^[A-Za-z_]\w*$/.test(value));
}

const DNX_VALUES = wordSet(
  '--version --add-source --source --configfile --framework -v --verbosity --allow-roll-forward --arch -a',
);

/**
 * `dnx Package[@version] [options] [--] …`, `dotnet tool exec …`. Options after the package are still the
 * launcher's, up to `--`.
 */
export function dnx(words: readonly string[]): Launched | undefined {
  const before = readOptions(words, { values: DNX_VALUES });
  const [target, ...rest] = before.rest;
  if (target === undefined) return undefined;
  const dashes = rest.indexOf('--');
  const own = dashes < 0 ? rest : rest.slice(0, dashes);
  const options = [...before.options, ...optionsAnywhere(own)];
  const at = target.indexOf('@');
  const name = at < 0 ? target : target.slice(0, at);
  const version =
    at < 0 ? options.find((option) => option.name === '--version')?.value : target.slice(at + 1);
  return { origin: nuget(name, version), args: dashes < 0 ? [] : rest.slice(dashes + 1) };
}

function optionsAnywhere(words: readonly string[]): { name: string; value: string }[] {
  const options: { name: string; value: string }[] = [];
  let left = words;
  while (left.length > 0) {
    const parsed = readOptions(left, { values: DNX_VALUES });
    options.push(...parsed.options);
    left = parsed.rest.slice(1);
  }
  return options;
}

/** NuGet: a plain version or `[1.0]` is exact; `*` and other ranges float. */
function nuget(name: string, version: string | undefined): Origin {
  const exact = version === undefined ? undefined : /^\[?(\d[\w.+-]*)\]?$/.exec(version)?.[1];
  if (exact !== undefined) return { type: 'nuget', package: name, version: exact };
  return { type: 'nuget', package: name, requested: version ?? '' };
}

const NODE_VALUES = wordSet(
  '-r --require --import --loader --experimental-loader -C --conditions --env-file --env-file-if-exists --inspect-port --title --max-old-space-size --icu-data-dir --openssl-config --input-type --disable-warning --watch-path --tsconfig',
);

/** The script that an interpreter runs, or undefined for inline code and modules. */
export function interpreted(words: readonly string[]): Launched | undefined {
  const parsed = readOptions(words, { values: NODE_VALUES });
  const [script, ...args] = parsed.rest;
  if (script === undefined || parsed.options.some(({ name }) => /^(-e|--eval|-p|--print|-m|-c)$/.test(name)))
    return undefined;
  return { origin: { type: 'local', path: script }, args };
}
