import { LIMITS } from './limits.ts';

/** The last lines of what a server wrote that is no message, each cut. */
export class NoiseLog {
  private kept: string[] = [];

  add(line: string): void {
    const short = line.length > LIMITS.noiseCharacters ? `${line.slice(0, LIMITS.noiseCharacters)}…` : line;
    this.kept.push(short);
    if (this.kept.length > LIMITS.noiseLines) this.kept.shift();
  }

  lines(): string[] {
    return [...this.kept];
  }
}
