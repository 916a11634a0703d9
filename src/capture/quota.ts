/** Counts up to a limit; with `windowMs` anew in each window of so many milliseconds. */
export class Quota {
  private readonly limit: number;
  private readonly windowMs: number;
  private from = performance.now();
  private count = 0;

  constructor(limit: number, windowMs = Number.POSITIVE_INFINITY) {
    this.limit = limit;
    this.windowMs = windowMs;
  }

  /** False when it was too much. */
  take(): boolean {
    const now = performance.now();
    if (now - this.from >= this.windowMs) {
      this.from = now;
      this.count = 0;
    }
    return ++this.count <= this.limit;
  }
}
