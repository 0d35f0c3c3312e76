import type { Secrets } from '../core/safety/secrets';
import { plainText as inOneLine, printable, printableJson } from '../core/safety/plainText';

/** The world of the command line, so that tests can be one. */
export interface Terminal {
  readonly out: (text: string, meant?: 'workflowCommands') => void;
  /** What was written last may be replaced: so many lines of it. */
  readonly err: (text: string, replacedLines?: number) => void;
  /** Columns of standard error when a person watches it; undefined when it goes to a file or a pipe. */
  readonly columns: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls back at each Ctrl-C, request to end, or closing of the terminal, until the answer is called. */
  onInterrupt(listener: (how?: Interruption) => void): () => void;
  /** Leaves at once. */
  exit(code: number): void;
}

/** `hangup`: nobody asked for an end, the terminal went away. */
export type Interruption = 'asked' | 'hangup';

/** Exit codes of every command. */
export const exitCodes = { done: 0, failed: 1, usage: 2, notEnded: 3, hangup: 129, cancelled: 130 } as const;

/**
 * The one way to standard output and standard error. Text of files and servers neither moves the cursor nor turns or
 * hides text, and it is no workflow command to a build server (a line that begins with `::`, or `##[`): those are
 * written where they are meant, in annotations of our own. No secret gets out, in whatever form it is quoted.
 */
export function printingTerminal(raw: Terminal, secrets: Secrets): Terminal {
  return {
    ...raw,
    out: (text, meant) => {
      // Hidden again: what is unseen inside of a key has gone by then.
      const clean = secrets.hide(printable(secrets.hide(text)));
      raw.out(meant === 'workflowCommands' ? clean : withoutWorkflowCommands(clean));
    },
    err: (text, replacedLines = 0) => {
      const back = replacedLines > 0 ? `\u001b[${replacedLines}A\u001b[J` : '';
      raw.err(back + withoutWorkflowCommands(secrets.scrub(printable(secrets.scrub(text)))));
    },
  };
}

function withoutWorkflowCommands(text: string): string {
  return text.replace(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}

/** Text of files and servers inside of a line. */
export function plainText(text: string): string {
  return inOneLine(text);
}

/** One line of JSON: it means the same to a program, and a terminal may show it. */
export function jsonLine(value: unknown): string {
  return `${printableJson(JSON.stringify(value))}\n`;
}
