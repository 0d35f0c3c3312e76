export interface Coalesced {
  (): void;
  cancel(): void;
}

/** Calls `fn` at once, then at most once in `ms` milliseconds; the last call is never lost. */
export function coalesceCalls(fn: () => void, ms: number): Coalesced {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  let cancelled = false;
  const call = () => {
    again = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (again) call();
    }, ms);
    fn();
  };
  const coalesced = () => {
    if (cancelled) return;
    if (timer === undefined) call();
    else again = true;
  };
  return Object.assign(coalesced, {
    cancel: () => {
      cancelled = true;
      clearTimeout(timer);
    },
  });
}
