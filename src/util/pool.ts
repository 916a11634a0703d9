/**
 * Runs `work` over `items`, at most `limit` at a time, and gives the results in the items' order. `work` may call
 * `release` when what it still does is light: then the next one begins. With a limit of 1 it waits all the same.
 */
export async function mapPool<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number, release: () => void) => Promise<R>,
): Promise<R[]> {
  const results: Promise<R>[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      await new Promise<void>((resolve, reject) => {
        const result = work(items[index] as T, index, limit > 1 ? resolve : () => {});
        results[index] = result;
        result.then(() => resolve(), reject);
      });
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker));
  return Promise.all(results);
}
