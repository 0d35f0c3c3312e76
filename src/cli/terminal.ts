import type { HttpStack } from '../core/client/httpStack';
import type { Job } from '../core/jobs/job';
import type { Secrets } from '../core/safety/secrets';
import { plainText as inOneLine, printable, printableJson } from '../core/safety/plainText';

export interface Terminal {
  readonly out: (text: string, meant?: 'workflowCommands' | 'differences') => void;
  /** Whether to replace the last output, and how many lines of it. */
  readonly err: (text: string, replacedLines?: number) => void;
  /** Undefined for a file or a pipe. */
  readonly columns: number | undefined;
  /** Redraws progress in place; only where there are columns. */
  readonly liveProgress?: (err: Terminal['err'], columns: number) => ProgressDisplay;
  readonly hasColors?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stops when the result is called. */
  onInterrupt(listener: (how?: Interruption) => void): () => void;
  exit(code: number): void;
}

export interface ProgressDisplay {
  line(text: string): void;
  job(job: Job): void;
  /** A message of a node or the server about the run. */
  words(from: string, text: string): void;
  /** A temporary line on a terminal, replaced by the next one; nothing elsewhere. */
  passing(text: string): void;
}

/** `hangup`: nobody asked for an end, the terminal is gone. */
export type Interruption = 'asked' | 'hangup';

export interface CommandContext {
  readonly terminal: Terminal;
  /** The connections, opened when they are first asked for and closed after the command. */
  readonly http: () => Promise<HttpStack>;
  readonly secrets: Secrets;
}

export const exitCodes = {
  done: 0,
  failed: 1,
  outputsUnknown: 1,
  usage: 2,
  notEnded: 3,
  hangup: 129,
  cancelled: 130,
} as const;

export interface InterruptionChoices {
  readonly reason?: Error;
  /** Before the first Ctrl-C aborts it. */
  readonly onFirst?: () => void;
  /** Before the process exits at once. */
  readonly onExit?: (how: Interruption) => void;
  /** By default, closing the terminal counts as Ctrl+C; a number exits at once with that code. */
  readonly whenClosed?: number | 'goOn';
}

/** The first Ctrl+C aborts the signal, the second one exits at once. */
export function listenForInterruption(
  terminal: Terminal,
  { reason, onFirst, onExit, whenClosed }: InterruptionChoices = {},
): { readonly signal: AbortSignal; readonly forget: () => void } {
  const abort = new AbortController();
  const forget = terminal.onInterrupt((how = 'asked') => {
    const closedCode = how === 'hangup' ? whenClosed : undefined;
    if (closedCode === 'goOn') return;
    if (abort.signal.aborted || closedCode !== undefined) {
      onExit?.(how);
      terminal.exit(closedCode ?? exitCodes.cancelled);
      return;
    }
    onFirst?.();
    abort.abort(reason ?? new DOMException('The command was cancelled.', 'AbortError'));
  });
  return { signal: abort.signal, forget };
}

/**
 * The only way to standard output and standard error. Text from files and servers cannot move the cursor, reverse or
 * hide text, or become a workflow command to a build server (a line that starts with `::`, or `##[`): only our own
 * annotations write those. No secret gets out, in whatever form it is quoted.
 */
export function printingTerminal(raw: Terminal, secrets: Secrets): Terminal {
  return {
    ...raw,
    out: (text, meant) => {
      // Hides secrets again: invisible characters inside a key are gone by then.
      const clean = secrets.hide(printable(secrets.hide(text)));
      if (meant === 'workflowCommands') raw.out(clean);
      else if (meant === 'differences' && raw.hasColors === true)
        raw.out(withColors(withoutWorkflowCommands(clean)));
      else raw.out(withoutWorkflowCommands(clean));
    },
    err: (text, replacedLines = 0) => {
      const back = replacedLines > 0 ? `\u001b[${replacedLines}A\u001b[J` : '';
      raw.err(back + withoutWorkflowCommands(secrets.scrub(printable(secrets.scrub(text)))));
    },
  };
}

/** A terminal shows colors, unless its user wants none (no-color.org); so does the pager that Git started. */
export function showsColors(env: Terminal['env'], isTerminal: boolean): boolean {
  const { NO_COLOR = '', TERM, GIT_PAGER_IN_USE } = env;
  return NO_COLOR === '' && TERM !== 'dumb' && (isTerminal || GIT_PAGER_IN_USE === 'true');
}

const colors = { '+': 32, '-': 31, '~': 33 } as const;

function withColors(text: string): string {
  const colored = (color: number, part: string): string => `\u001b[${color}m${part}\u001b[0m`;
  return text
    .replace(/^([+~-]) .*$/gm, (line, sign: keyof typeof colors) => colored(colors[sign], line))
    .replace(/^( {4}.*?: )(.*) → (.*)$/gm, (_line, name: string, before: string, after: string) => {
      return `${name}${colored(colors['-'], before)} → ${colored(colors['+'], after)}`;
    });
}

function withoutWorkflowCommands(text: string): string {
  return text.replace(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}

export function plainTerminalLine(text: string): string {
  return inOneLine(text);
}

/** Keeps the meaning to a program, but is safe to show on a terminal. */
export function jsonLine(value: unknown): string {
  return `${printableJson(JSON.stringify(value))}\n`;
}
