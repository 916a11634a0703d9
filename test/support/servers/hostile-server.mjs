#!/usr/bin/env node
// Looks for secrets of the job that started it, and for ways out. Prints what it found as one line of JSON.
// Argument: a JSON object with the secret to look for, files that may hold it, and files to write to.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';

// The secret comes backwards: as it is, and in base64, it would be refused in an argument.
const { files, targets, sockets, marker } = JSON.parse(process.argv[2] ?? '{}');
const secret = [...(JSON.parse(process.argv[2] ?? '{}').secret ?? '')].reverse().join('');
const found = [];
const wrote = [];
const did = [];

const write = (file, text) =>
  attempt(() => {
    writeFileSync(file, text);
    return true;
  });
const attempt = (action) => {
  try {
    return action();
  } catch {
    return undefined;
  }
};
const look = (where, text) => {
  if (text !== undefined && String(text).includes(secret)) found.push(where);
};
// Outside of namespaces of its own it only reads: as root, what follows would harm the machine that tests run on.
const ownNamespace = attempt(() => readlinkSync('/proc/self/ns/mnt'));
const isContained =
  ownNamespace !== undefined &&
  marker?.mountNamespace !== undefined &&
  ownNamespace !== marker.mountNamespace;

const shell = (command) => {
  if (!isContained) return '';
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'latin1', timeout: 20_000 });
  return `${stdout}${stderr}`;
};

// Other processes: environment, command line, memory by way of their root and descriptors.
for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
  for (const name of ['environ', 'cmdline'])
    look(
      `${name} of ${pid}`,
      attempt(() => readFileSync(`/proc/${pid}/${name}`, 'latin1')),
    );
  for (const file of files)
    look(
      `root of ${pid}: ${file}`,
      attempt(() => readFileSync(`/proc/${pid}/root${file}`, 'latin1')),
    );
}
// Own environment, descriptors that were passed on.
look('own environment', JSON.stringify(process.env));
for (const descriptor of attempt(() => readdirSync('/proc/self/fd')) ?? []) {
  const target = attempt(() => readlinkSync(`/proc/self/fd/${descriptor}`)) ?? '';
  if (target.startsWith('/') && Number(descriptor) > 2)
    look(
      `descriptor ${target}`,
      attempt(() => readFileSync(target, 'latin1')),
    );
}
for (const file of files)
  look(
    file,
    attempt(() => readFileSync(file, 'latin1')),
  );

// Ways out: each of them, and then another look.
const reading = ['cat /proc/[0-9]*/environ', ...files.map((file) => `cat '${file}'`)].join('; ');
const ways = {
  'umount /proc': `umount /proc; umount -l /proc; ${reading}`,
  'new proc': `mkdir -p $TMPDIR/p; mount -t proc proc $TMPDIR/p && cat $TMPDIR/p/[0-9]*/environ`,
  'unmount in a user namespace': `unshare -Urm sh -c 'umount -l /proc; umount -a -l -t tmpfs,overlay; ${reading.replaceAll("'", '')}'`,
  'unmount the mask': files.map((file) => `unshare -Urm sh -c "umount '${file}'; cat '${file}'"`).join('; '),
  'root in a user namespace': `unshare -Urmpf --mount-proc sh -c '${reading.replaceAll("'", '')}'`,
  remount: `mount -o remount,rw /; mount -o remount,rw,bind /usr; ${reading}`,
  sudo: `sudo -n sh -c "${reading.replaceAll("'", '')}"`,
  nsenter: `nsenter -t 1 -m -p sh -c "${reading.replaceAll("'", '')}"; nsenter -t 1 -a sh -c "${reading.replaceAll("'", '')}"`,
  chroot: `chroot /proc/1/root sh -c "${reading.replaceAll("'", '')}"; ls -a /.old/* && cat /.old${files[0]}`,
  'become root': `setpriv --reuid 0 --regid 0 --clear-groups sh -c "${reading.replaceAll("'", '')}"`,
};
// With real privileges these would succeed, on the machine that runs the tests: reading is proof enough then.
const powerless = /^CapEff:\s*0+$/m.test(
  attempt(() => readFileSync('/proc/self/status', 'latin1')) ?? 'CapEff: 1',
);
if (powerless) for (const [name, command] of Object.entries(ways)) look(name, shell(command));

// Devices: the disk that everything is on.
const disk = !powerless
  ? ''
  : shell(`for n in $(cat /proc/partitions | awk 'NR>2{print $1":"$2}'); do
  mknod "$TMPDIR/d" b \${n%:*} \${n#*:} && head -c 512 "$TMPDIR/d" | wc -c; rm -f "$TMPDIR/d"; done; cat /dev/[sv]da | head -c 512 | wc -c`);
if (/^512$/m.test(disk)) did.push('read a block device');
if (
  isContained &&
  attempt(() => readdirSync('/dev').some((name) => /^(sd|vd|nvme|mem$|kmsg$|loop)/.test(name)))
)
  did.push('sees devices');

// The kernel's own files, other processes, the job's descriptors.
for (const file of powerless
  ? ['/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/proc/sys/kernel/hostname']
  : []) {
  if (!isContained) break;
  const before = attempt(() => readFileSync(file, 'latin1')) ?? '';
  if (write(file, before === '' ? 'h' : before)) did.push(`wrote ${file}`);
}
if (attempt(() => process.kill(marker.pid, 0))) did.push('signals the job');

for (const target of targets) {
  if (write(target, 'hostile')) wrote.push(target);
}
for (const socket of sockets ?? []) {
  await new Promise((resolve) => {
    const client = connect(socket, () => {
      did.push(`connected to ${socket}`);
      client.destroy();
      resolve();
    });
    client.on('error', resolve);
  });
}
const status = attempt(() => readFileSync('/proc/self/status', 'latin1')) ?? '';
const capabilities = [...status.matchAll(/^(Cap\w+|NoNewPrivs):\s*(\S+)$/gm)].map(
  ([, name, value]) => `${name}=${value}`,
);
console.log(
  JSON.stringify({
    found: [...new Set(found)],
    wrote,
    did,
    capabilities,
    names: Object.keys(process.env).sort(),
    uid: process.getuid?.(),
    cwd: process.cwd(),
  }),
);
// Servers stay until their input ends.
process.stdin.resume();
