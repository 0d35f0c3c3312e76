import type { JsonEvent } from './jsonEvents';

/** How an output compares to the kept one. */
export type TestStatus =
  /** The same content. */
  | 'same'
  /** Within the threshold. */
  | 'close'
  | 'different'
  /** Kept, and no longer made. */
  | 'missing'
  /** Made, and not kept. */
  | 'notKept'
  /** With `--update`: kept for the first time, kept instead of another, no longer kept. */
  | 'kept'
  | 'updated'
  | 'removed';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** Workflows that could not be run. */
  readonly errors: number;
  /** Kept, updated and removed outputs. */
  readonly updated: number;
}

/**
 * What `comfy-deck test --json` prints: one of these objects per line on standard output. Each workflow begins with
 * `start`; those events of `run --json` follow that tell of its job and its problems, then one `output` for each
 * output. Fields may be added; readers skip kinds they do not know.
 *
 * | event   | when                                                                     |
 * |---------|--------------------------------------------------------------------------|
 * | output  | an output was compared                                                   |
 * | summary | all workflows are tested                                                 |
 * | error   | why a workflow could not be run, or the command ended, and what to do    |
 * | end     | last: how it ended, how many outputs were kept, and the exit code        |
 */
export type TestEvent =
  | {
      readonly event: 'output';
      /** The workflow. */
      readonly file: string;
      /** The name of the kept output. */
      readonly output: string;
      readonly nodeId?: string | undefined;
      readonly status: TestStatus;
      /** Of two PNG pictures of the same size: 0 to 100, and the part of the pixels that differ, 0 to 1. */
      readonly distance?: number | undefined;
      readonly share?: number | undefined;
      readonly message?: string | undefined;
      /** The picture that shows the difference, and the output, if they were written. */
      readonly difference?: string | undefined;
      readonly actual?: string | undefined;
    }
  | ({ readonly event: 'summary' } & TestCounts)
  | Extract<JsonEvent, { event: 'error' | 'end' }>;
