import type { TextFile } from '../core/batch/prepareBatch';
import { isLoopback } from '../core/client/address';
import { sentencesText, t } from '../core/safety/localize';
import type { ExecutionFailure } from '../core/protocol/serverEvent';
import { commandEnding, commandTrouble, type Trouble } from './commandProblem';
import type { EndEvent, FailureFields, UploadsEvent } from './jsonEvents';
import { markWords, type UploadQuestion } from '../core/runs/localFile';
import { plainProgress } from './progressDisplay';
import {
  exitCodes,
  type InterruptionChoices,
  jsonLine,
  listenForInterruption,
  plainTerminalLine,
  type Terminal,
} from './terminal';

export type Ending = Extract<EndEvent, { event: 'end' }>['outcome'];

export interface CommandResult {
  readonly outcome: Ending;
  readonly saved?: number | undefined;
}

/** Reports a command: to people on standard error, and with `--json` to programs on standard output. */
export abstract class CommandReport<Event extends { readonly event: string }> {
  /** `traceback`: people see those of the server too. */
  constructor(
    private readonly terminal: Terminal,
    protected readonly json: boolean,
    private readonly traceback = false,
    protected readonly display = (terminal.columns !== undefined &&
      terminal.liveProgress?.(terminal.err, terminal.columns)) ||
      plainProgress(terminal.err),
  ) {}

  /**
   * Carries a command out and reports how it ended; returns the exit code. An abort is no trouble.
   * @param work resolves with undefined if another command goes on, which reports the end
   */
  async carryOut(
    choices: InterruptionChoices,
    work: (signal: AbortSignal) => Promise<CommandResult | undefined>,
  ): Promise<number> {
    const { signal, forget } = listenForInterruption(this.terminal, choices);
    try {
      const result = await work(signal);
      return result ? this.end(result.outcome, result.saved) : exitCodes.done;
    } catch (error) {
      return signal.aborted ? this.end('cancelled') : this.failed(error);
    } finally {
      forget();
    }
  }

  say(text: string): void {
    this.display.line(text);
  }

  /** `rest`: the part of the message that people have not read in a problem before. */
  trouble(trouble: Trouble, rest = trouble.message): void {
    const { message, nextAction, type, nodeId, nodeType, traceback, code } = trouble;
    this.emit({ event: 'error', message, nextAction, type, nodeId, nodeType, traceback, code });
    this.say(sentencesText(plainTerminalLine(rest), plainTerminalLine(nextAction)));
    this.sayTraceback(trouble);
  }

  protected sayTraceback({ traceback }: FailureFields): void {
    if (!this.traceback || traceback === undefined) return;
    this.say(t`Server traceback:`);
    for (const line of traceback.join('\n').split('\n')) this.say(`  ${line.trimEnd()}`);
  }

  /**
   * Names each file before any of them leaves the machine, or those that may not. Without consent, files are sent only
   * to this machine, and only if they clearly belong to the workflow.
   */
  mayUpload(
    questions: readonly UploadQuestion[],
    servers: readonly string[],
    consent?: boolean,
  ): Promise<boolean> {
    const allowed = consent ?? isPlainUpload(questions, servers);
    const server = servers.join(', ');
    const files = questions.map(({ description, size, kinds, marks }) => {
      return { path: description, bytes: size, kinds, marks };
    });
    this.emit({ event: 'uploads', server, allowed, files });
    const to = plainTerminalLine(server);
    this.say(allowed ? t`Files to upload to ${to}:` : t`Files not uploaded to ${to}:`);
    for (const each of questions) this.sayFile(each);
    return Promise.resolve(allowed);
  }

  protected sayFile({ description, size, marks }: TextFile): void {
    const why = marks.map((mark) => `; ${markWords()[mark]}`).join('');
    this.say(`  ${plainTerminalLine(description)} (${t`${size} bytes`}${why})`);
  }

  failed(error: unknown, saved?: number): number {
    this.trouble(commandTrouble(error));
    return this.end(commandEnding(error), saved);
  }

  end(outcome: Ending, saved = 0): number {
    const exitCode = exitCodes[outcome];
    this.emit({ event: 'end', outcome, saved, exitCode });
    return exitCode;
  }

  protected emit(event: Event | EndEvent | UploadsEvent): void {
    if (this.json) this.terminal.out(jsonLine(event));
  }

  protected print(text: string): void {
    if (!this.json) this.terminal.out(`${text}\n`);
  }
}

export function isPlainUpload(files: readonly TextFile[], servers: readonly string[]): boolean {
  return servers.every(isLoopback) && files.every(({ marks }) => marks.length === 0);
}

export function failureFields(failure: ExecutionFailure): FailureFields {
  const { exceptionType: type, nodeId, nodeType, traceback } = failure;
  return { type, nodeId, nodeType, traceback: traceback.length > 0 ? traceback : undefined };
}
