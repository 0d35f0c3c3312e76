import { AwakeClock } from './awakeClock';

/** How often the time is checked, in ms. */
const awakeTick = 5_000;

/**
 * Calls once after this many ms in which the machine was awake: a closed laptop does not count as waiting.
 * `clearInterval` ends it.
 */
export function awakeTimeout(ms: number, call: () => void): NodeJS.Timeout {
  const clock = new AwakeClock(Date.now);
  const end = clock.now() + ms;
  const timer = setInterval(
    () => {
      if (clock.now() < end) return;
      clearInterval(timer);
      call();
    },
    Math.min(ms, awakeTick),
  );
  return timer;
}
