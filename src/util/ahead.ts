export interface Ahead<T> {
  begin(): void;
  get(): Promise<T>;
}

/**
 * A part of the program that is needed later: `begin` loads it in the next turn, once what is being started has
 * started; `get` gives it, loaded or to be loaded.
 */
export function ahead<T>(load: () => Promise<T>): Ahead<T> {
  let loading: Promise<T> | undefined;
  let begun = false;
  const get = (): Promise<T> => {
    loading ??= load();
    return loading;
  };
  return {
    begin() {
      if (begun) return;
      begun = true;
      setImmediate(() => {
        // Who needs it gets the error.
        get().catch(() => undefined);
      });
    },
    get,
  };
}
