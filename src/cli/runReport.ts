import { isTerminal, type Job } from '../core/jobs/job';
import { creditsText, runPrice } from '../core/jobs/runPrice';
import { blockedWords } from '../core/jobs/failureText';
import { seedName, type LeftOutOutput } from '../core/jobs/jobWords';
import { filesSavedAsText } from '../core/outputs/neutralEnding';
import type { SaveProgress } from '../core/runLife/saveOutputs';
import type { SavedOutput } from '../core/outputs/expectedFile';
import type { OutputFile } from '../core/protocol/outputFile';
import { PositionIndex } from '../core/json/position';
import type { Severity } from '../core/check/codes';
import type { Finding } from '../core/check/finding';
import type { RunOutcome } from '../core/runs/runWorkflow';
import { lockWords } from '../core/records/claimRecord';
import type { RunStage } from '../core/runLife/runStage';
import { CommandReport } from './commandReport';
import type { JsonEvent } from './jsonEvents';
import { changedNodes, newWords, progressNodeName } from './nodeProgress';
import { plainTerminalLine } from './terminal';
import { plural, t } from '../core/safety/localize';
import { commandLine } from './shellWords';

type Owed = Omit<Extract<JsonEvent, { readonly event: 'owed' }>, 'event'>;

function owedSentence({ job, state, expected, saved }: Owed): string {
  if (state === 'sending') return t`The server may or may not have accepted the workflow.`;
  if (state === 'submitted')
    return t`Job ${plainTerminalLine(job ?? '')} may still be running on the server. Nothing has been saved yet.`;
  if (expected === 0) return t`No outputs are saved yet.`;
  return plural(expected, t`${saved} of 1 output saved.`, t`${saved} of ${expected} outputs saved.`);
}

export class RunReport extends CommandReport<JsonEvent> {
  #before: Job | undefined;
  #queueLength: number | undefined;
  #texts = 0;

  start(file: string, server: string, out: string): void {
    this.emit({ event: 'start', file, server, out });
    this.say(t`Running ${plainTerminalLine(file)} on ${server}`);
  }

  stage(stage: RunStage): void {
    const { kind } = stage;
    // A program gets one event per wait; a person sees the seconds.
    if (kind !== 'waiting' || stage.seconds === stage.of) {
      this.emit({
        event: 'stage',
        stage: kind,
        name: kind === 'uploading' ? stage.name : undefined,
        seconds: 'seconds' in stage ? stage.seconds : undefined,
      });
    }
    const words = stageWords(stage);
    if (words === undefined) return;
    if (kind === 'waiting' && stage.seconds !== stage.of) this.display.passing(words);
    else this.say(words);
  }

  findings(text: string, findings: readonly Finding[]): void {
    const index = findings.length > 0 ? new PositionIndex(text) : undefined;
    for (const { code, severity, nodeId, input, offset, message } of findings) {
      const place = index?.positionAt(offset) ?? { line: 0, character: 0 };
      const [line, column] = [place.line + 1, place.character + 1];
      this.emit({ event: 'problem', severity, code, nodeId, input, line, column, message });
      this.say(`${placeWords(severity, line, column)}: ${plainTerminalLine(message)}`);
    }
  }

  submitted(
    { jobId, run }: RunOutcome & { readonly kind: 'submitted' },
    leftOut: readonly LeftOutOutput[],
  ): void {
    const { checked, choices, origin } = run;
    this.emit({ event: 'submitted', job: jobId, seeds: origin.seeds, checked, leftOut });
    if (!checked) this.say(t`The server provided no node definitions, so the workflow wasn't checked`);
    const seeds = Object.entries(origin.seeds);
    if (choices.seeds === 'new' && seeds.length === 0) this.say(t`The workflow has no seed to randomize.`);
    for (const [name, digits] of seeds) {
      this.say(t`Seed of ${plainTerminalLine(seedName(name, origin.nodeNames))}: ${digits}`);
    }
  }

  accepted(jobId: string): void {
    this.say(t`Job ${plainTerminalLine(jobId)}`);
  }

  owed(owed: Owed): void {
    this.emit({ event: 'owed', ...owed });
    this.say(t`${owedSentence(owed)} To get what is missing:`);
    this.say(`  ${owed.command}`);
  }

  job(job: Job): void {
    const before = this.#before;
    this.#before = job;
    const { id, state, queuePosition } = job;
    if (before?.state !== state || before.queuePosition !== queuePosition) {
      this.emit({ event: 'job', job: id, state, queuePosition });
    }
    for (const { nodeId, name, node } of changedNodes(before, job)) {
      const { state: nodeState, value, max } = node;
      this.emit({ event: 'node', nodeId, name, state: nodeState, value, max });
    }
    for (const { nodeId, text } of newWords(before, job)) {
      const name = nodeId === undefined ? undefined : progressNodeName(job, nodeId);
      this.emit({ event: 'words', nodeId, name, text });
      this.display.words(name ?? t`Server`, text);
    }
    this.display.job(job);
    const price = isTerminal(state) && !(before && isTerminal(before.state)) ? runPrice(job) : undefined;
    if (!price) return;
    this.emit({ event: 'price', ...price });
    this.display.line(t`Cost: ${creditsText(price.credits)}`);
  }

  /** People see it only while their job waits behind others. */
  queue(length: number): void {
    const before = this.#queueLength;
    if (length === before) return;
    this.#queueLength = length;
    this.emit({ event: 'queue', length });
    if (this.#before?.state !== 'pending' || length < 2) return;
    const words = t`The server has ${length} jobs running or queued`;
    if (before === undefined || before < 2) this.say(words);
    else this.display.passing(words);
  }

  texts(job: Job): void {
    for (const { nodeId, text } of job.texts.slice(this.#texts)) {
      this.emit({ event: 'text', nodeId, text });
      this.print(text.trimEnd());
    }
    this.#texts = job.texts.length;
  }

  blocked(job: Job): void {
    for (const { nodeId, nodeType, message } of job.blocked) {
      const name = nodeId === undefined ? undefined : progressNodeName(job, nodeId);
      this.emit({ event: 'blocked', nodeId, nodeType, name, message });
      this.say(blockedWords({ message }, name ?? t`A branch`));
    }
  }

  saving({ file, index, count, bytes, size }: SaveProgress): void {
    const name = plainTerminalLine(file.filename);
    this.emit({ event: 'download', name, bytes, size });
    const share =
      size === undefined || size === 0 ? t`${bytes} bytes` : `${Math.floor((bytes / size) * 100)} %`;
    this.display.passing(
      t`Saving ${index} of ${count}: ${plainTerminalLine(file.displayName ?? file.filename)}, ${share}`,
    );
  }

  saved(outputs: readonly SavedOutput[]): void {
    const { length } = outputs;
    this.say(plural(length, t`Saved 1 output:`, t`Saved ${length} outputs:`));
    for (const { file, location, bytes, sha256 } of outputs) {
      this.emit({ event: 'saved', path: location, bytes, sha256, nodeId: file.nodeId });
      this.print(location);
    }
    for (const { file, name } of filesSavedAsText(outputs)) {
      this.say(
        t`${plainTerminalLine(file.filename)} could run as a program, so it was saved as ${plainTerminalLine(name)}.`,
      );
    }
  }

  temporary(job: Job, files: readonly OutputFile[]): void {
    if (files.length === 0) return;
    const { length } = files;
    this.say(
      plural(
        length,
        t`1 temporary output wasn't saved. To save it too, add --save-temporary:`,
        t`${length} temporary outputs weren't saved. To save them too, add --save-temporary:`,
      ),
    );
    for (const { filename: name, nodeId } of files) {
      this.emit({ event: 'temporary', name, nodeId });
      this.say(`  ${plainTerminalLine(progressNodeName(job, nodeId))}: ${plainTerminalLine(name)}`);
    }
  }
}

function placeWords(severity: Severity, line: number, column: number): string {
  if (severity === 'error') return t`Error at line ${line}, column ${column}`;
  if (severity === 'warning') return t`Warning at line ${line}, column ${column}`;
  return t`Note at line ${line}, column ${column}`;
}

function stageWords(stage: RunStage): string | undefined {
  switch (stage.kind) {
    case 'uploading':
      return t`Uploading ${plainTerminalLine(stage.name)}`;
    case 'waiting':
      return t`Rate limited. Retrying in ${stage.seconds} s (Ctrl+C to stop)`;
    case 'lookingForJob':
      if (stage.seconds !== undefined) return t`Not found yet. Checking again in ${stage.seconds} s`;
      return stage.wasAnswered
        ? t`The response doesn't say whether the run was accepted. Looking for the job on the server`
        : t`The response was lost. Looking for the job on the server`;
    case 'watchingLock':
      return lockWords();
    case 'checking':
    case 'connecting':
    case 'submitting':
      return undefined;
  }
}

export interface FetchWords {
  readonly job: string;
  readonly out: string;
  readonly server: string;
  readonly keyEnv?: string | undefined;
}

/** The command that fetches what is owed, ready to paste. Contains the name of the key's variable, never the key. */
export function fetchCommand({ job, out, server, keyEnv }: FetchWords): string {
  const options = ['--out', out, '--server', server];
  if (keyEnv !== undefined) options.push('--key-env', keyEnv);
  // An id that looks like an option must not be parsed as one.
  const rest = job.startsWith('-') ? [...options, '--', job] : [job, ...options];
  return commandLine(['comfy-deck', 'fetch', ...rest]);
}
