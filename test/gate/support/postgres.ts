import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of PostgreSQL's programs (Debian's packages), or undefined when there is none. */
export function postgresFolder(): string | undefined {
  const base = '/usr/lib/postgresql';
  const [release] = existsSync(base) ? readdirSync(base).sort().reverse() : [];
  const folder = release === undefined ? undefined : join(base, release, 'bin');
  return folder !== undefined && existsSync(join(folder, 'initdb')) ? folder : undefined;
}

/** A PostgreSQL server of the test's own, on a Unix socket alone. */
export class Postgres {
  readonly base = mkdtempSync(join(tmpdir(), 'postgres-'));
  private readonly bin: string;

  constructor(bin: string) {
    this.bin = bin;
    chmodSync(this.base, 0o755);
    if (process.getuid?.() === 0) execFileSync('chown', ['postgres', this.base]);
    this.as('initdb', '-D', join(this.base, 'data'), '-A', 'trust', '-U', 'postgres', '--no-sync');
    this.as(
      'pg_ctl',
      '-D',
      join(this.base, 'data'),
      '-w',
      '-l',
      join(this.base, 'log'),
      '-o',
      `-c listen_addresses='' -k ${this.base}`,
      'start',
    );
  }

  /** Arguments of psql. */
  get connection(): string[] {
    return ['-h', this.base, '-U', 'postgres'];
  }

  get psql(): string {
    return join(this.bin, 'psql');
  }

  run(sql: string): string {
    return execFileSync(this.psql, [...this.connection, '-X', '-q', '-A', '-t', '-c', sql], {
      encoding: 'utf8',
    }).trim();
  }

  end(): void {
    this.as('pg_ctl', '-D', join(this.base, 'data'), '-m', 'immediate', 'stop');
    rmSync(this.base, { recursive: true, force: true });
  }

  /** PostgreSQL does not run as root. */
  private as(program: string, ...args: string[]): void {
    const command = join(this.bin, program);
    if (process.getuid?.() === 0)
      execFileSync('setpriv', ['--reuid=postgres', '--regid=postgres', '--init-groups', command, ...args], {
        stdio: 'ignore',
        cwd: '/',
      });
    else execFileSync(command, args, { stdio: 'ignore', cwd: '/' });
  }
}
