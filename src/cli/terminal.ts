/** The world of the command line, so that tests can be one. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Columns of standard error when a person watches it; undefined when it goes to a file or a pipe. */
  readonly columns: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls back at each Ctrl-C (or request to end) until the answer is called. */
  onInterrupt(listener: () => void): () => void;
  /** Leaves at once. */
  exit(code: number): void;
}

/** Exit codes of every command. */
export const exitCodes = { done: 0, failed: 1, usage: 2, cancelled: 130 } as const;

/** Text of files and servers as a terminal may show it: one line, no escape sequences, nothing invisible. */
export function plainText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}
