/** What a server says about a job that failed. */
export interface FailureFields {
  /** The server's name for the error. */
  readonly type?: string | undefined;
  /** The node where it happened. */
  readonly nodeId?: string | undefined;
  readonly nodeType?: string | undefined;
  /** Lines of the server's own program, the call that failed last. */
  readonly traceback?: readonly string[] | undefined;
}

/** The last events of every command: the error if there was one, and `end` as the last line. */
export type EndEvent =
  | ({
      readonly event: 'error';
      readonly message: string;
      readonly nextAction: string;
      /** The music service's name for the error. */
      readonly code?: string | undefined;
    } & FailureFields)
  | {
      readonly event: 'end';
      readonly outcome: 'done' | 'failed' | 'cancelled' | 'usage' | 'notEnded' | 'outputsUnknown';
      readonly saved: number;
      readonly exitCode: number;
    };
