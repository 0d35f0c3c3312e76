export declare function abortableSleep(ms: number, signal?: AbortSignal): Promise<void>;
export declare function backoffDelays(options: {
  readonly base: number;
  readonly ceiling: number;
  readonly random?: () => number;
}): Generator<number, never>;
