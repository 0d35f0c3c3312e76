import type { Job } from '../core/jobs/job';
import type { SavedOutput, SaveProgress } from '../core/outputs/saveOutputs';
import { PositionIndex } from '../core/json/position';
import type { RunProblem } from '../core/runs/runRefusal';
import type { RunOutcome, RunStage } from '../core/runs/runWorkflow';
import type { JsonEvent } from './jsonEvents';
import { changedNodes } from './nodeProgress';
import { liveProgress, plainProgress } from './progressBoard';
import type { ProgressDisplay } from './progressBoard';
import { plainText } from './terminal';
import type { Terminal } from './terminal';

/** Why a run ended badly, in two sentences. */
export interface Trouble {
  readonly message: string;
  readonly nextAction: string;
}

/** Tells a run twice: to a person on standard error, and with `--json` to a program on standard output. */
export class RunReport {
  readonly #terminal: Terminal;
  readonly #json: boolean;
  readonly #display: ProgressDisplay;
  #before: Job | undefined;
  #texts = 0;

  constructor(terminal: Terminal, json: boolean) {
    const { columns, err } = terminal;
    this.#terminal = terminal;
    this.#json = json;
    this.#display = columns === undefined ? plainProgress(err) : liveProgress(err, columns);
  }

  start(file: string, server: string, out: string): void {
    this.#emit({ event: 'start', file, server, out });
    this.#display.line(`Running ${plainText(file)} on ${server}`);
  }

  stage(stage: RunStage): void {
    const { kind } = stage;
    this.#emit({ event: 'stage', stage: kind, ...(kind === 'uploading' && { name: stage.name }) });
    if (kind === 'uploading') this.#display.line(`Uploading ${plainText(stage.name)}`);
    if (kind === 'lookingForJob')
      this.#display.line('The answer was lost; looking for the job at the server');
  }

  problems(text: string, problems: readonly RunProblem[], severity: 'error' | 'warning'): void {
    const index = problems.length > 0 ? new PositionIndex(text) : undefined;
    for (const { nodeId, input, offset, message, type } of problems) {
      const place = index?.positionAt(offset) ?? { line: 0, character: 0 };
      const [line, column] = [place.line + 1, place.character + 1];
      this.#emit({
        event: 'problem',
        severity,
        nodeId,
        ...(input !== undefined && { input }),
        line,
        column,
        message,
        type,
      });
      this.#display.line(`${severity} at line ${line}: ${plainText(message)}`);
    }
  }

  submitted({ jobId, prepared, checked }: RunOutcome & { readonly kind: 'submitted' }): void {
    this.#emit({ event: 'submitted', job: jobId, seeds: prepared.seeds, checked });
    if (!checked) this.#display.line('The server gave no node definitions: the workflow was not checked');
    for (const [name, digits] of Object.entries(prepared.seeds)) {
      this.#display.line(`Seed ${plainText(name)}: ${digits}`);
    }
  }

  job(job: Job): void {
    const before = this.#before;
    this.#before = job;
    const { id, state, queuePosition } = job;
    if (before?.state !== state || before.queuePosition !== queuePosition) {
      this.#emit({ event: 'job', job: id, state, ...(queuePosition !== undefined && { queuePosition }) });
    }
    for (const { nodeId, name, node } of changedNodes(before, job)) {
      const { state: nodeState, value, max } = node;
      this.#emit({ event: 'node', nodeId, name, state: nodeState, value, max });
    }
    this.#display.job(job);
  }

  /** What nodes showed, once the job has ended. */
  texts(job: Job): void {
    for (const { nodeId, text } of job.texts.slice(this.#texts)) {
      this.#emit({ event: 'text', nodeId, text });
      if (!this.#json) this.#terminal.out(`${text.replace(/[^\P{Cc}\n\t]/gu, ' ').trimEnd()}\n`);
    }
    this.#texts = job.texts.length;
  }

  saving({ file, index, count, bytes, size }: SaveProgress): void {
    const name = plainText(file.filename);
    this.#emit({ event: 'download', name, bytes, ...(size !== undefined && { size }) });
    const share =
      size === undefined || size === 0 ? `${bytes} bytes` : `${Math.floor((bytes / size) * 100)} %`;
    this.#display.passing(`Saving ${index} of ${count}: ${name} ${share}`);
  }

  /** The list of outputs: the result of the command, on standard output. */
  saved(outputs: readonly SavedOutput[]): void {
    this.#display.line(outputs.length === 1 ? 'Saved 1 output:' : `Saved ${outputs.length} outputs:`);
    for (const { file, location, bytes, sha256 } of outputs) {
      this.#emit({ event: 'saved', path: location, bytes, sha256, nodeId: file.nodeId });
      if (!this.#json) this.#terminal.out(`${location}\n`);
    }
  }

  say(text: string): void {
    this.#display.line(text);
  }

  trouble({ message, nextAction }: Trouble): void {
    this.#emit({ event: 'error', message, nextAction });
    this.#display.line(`${plainText(message)} ${plainText(nextAction)}`);
  }

  end(outcome: (JsonEvent & { event: 'end' })['outcome'], saved: number, exitCode: number): void {
    this.#emit({ event: 'end', outcome, saved, exitCode });
  }

  #emit(event: JsonEvent): void {
    if (this.#json) this.#terminal.out(`${JSON.stringify(event)}\n`);
  }
}
