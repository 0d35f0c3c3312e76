/** How every command that tells events closes: trouble if there was any, and `end` as the last line. */
export type EndEvent =
  | {
      readonly event: 'error';
      readonly message: string;
      readonly nextAction: string;
      /** Of a job that failed: what the server calls the error. */
      readonly type?: string | undefined;
      readonly nodeId?: string | undefined;
    }
  | {
      readonly event: 'end';
      readonly outcome: 'done' | 'failed' | 'cancelled' | 'usage' | 'notEnded';
      readonly saved: number;
      readonly exitCode: number;
    };
