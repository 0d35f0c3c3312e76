/** The last events of every command: the error if there was one, and `end` as the last line. */
export type EndEvent =
  | {
      readonly event: 'error';
      readonly message: string;
      readonly nextAction: string;
      /** For a failed job: the server's name for the error. */
      readonly type?: string | undefined;
      readonly nodeId?: string | undefined;
      readonly nodeType?: string | undefined;
      /** Lines of the server's own program, the call that failed last. */
      readonly traceback?: readonly string[] | undefined;
      /** The music service's name for the error. */
      readonly code?: string | undefined;
    }
  | {
      readonly event: 'end';
      readonly outcome: 'done' | 'failed' | 'cancelled' | 'usage' | 'notEnded' | 'outputsUnknown';
      readonly saved: number;
      readonly exitCode: number;
    };
