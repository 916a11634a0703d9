import type { Deadline } from '../capture/deadline.ts';

/**
 * A capture ends with its deadline; a proxy's session lives on. The clock runs only while {@link CallDeadline.run} does,
 * and when it runs out the session is dead: a server that does not list is not waited for twice.
 */
export class CallDeadline implements Deadline {
  readonly ms: number;
  private readonly controller = new AbortController();
  private readonly from = performance.now();

  constructor(ms: number) {
    this.ms = ms;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  elapsed(): number {
    return performance.now() - this.from;
  }

  stop(): void {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.controller.abort(), this.ms);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }
}
