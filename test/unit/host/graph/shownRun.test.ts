import type * as vscode from 'vscode';
import { expect, it } from 'vitest';
import type { Job, JobState } from '../../../../src/core/jobs/job';
import { RunStore } from '../../../../src/core/runLife/runStore';
import { isTerminal } from '../../../../src/core/jobs/job';
import { JobStore } from '../../../../src/core/jobs/jobStore';
import { ShownRun } from '../../../../src/host/graph/shownRun';
import type { ToGraph } from '../../../../src/webview/contract/graphPanel';
import { observeJobs, putRecordedJob, start, stored } from '../../jobs/observations';

const sourceUri = 'file:///look.json';

/** A job of the drawn file. @param at seconds after the first */
function job(id: string, state: JobState, at: number): Job {
  const known = stored(state, id);
  const startedAt = state === 'pending' ? undefined : start + at * 1_000;
  const endedAt = state === 'completed' ? start + (at + 1) * 1_000 : undefined;
  const createdAt = start + at * 1_000;
  const origin = { label: 'look.json', seeds: {}, nodeNames: {}, sourceUri };
  return { ...known, createdAt, startedAt, endedAt, origin };
}

/** A graph of the file. */
class Shown {
  readonly store = new JobStore();
  readonly #runs = new RunStore(this.store);
  #last: string | undefined;
  readonly #run: ShownRun;

  constructor(...jobs: readonly Job[]) {
    this.is(...jobs);
    const never = (): undefined => undefined;
    const sessions = { onDidChangeSilence: never, onPreview: never, silenceOf: never };
    const none = { onDidChange: never, find: never, folder: '/', all: () => [] };
    this.#run = new ShownRun(
      sourceUri as unknown as vscode.Uri,
      {
        ...{ runs: this.#runs, servers: { sessions }, temporary: none, places: none },
        outputUri: never,
      } as never,
      {
        isVisible: () => true,
        post: (message: ToGraph) => {
          if (message.type === 'run') this.#last = message.run?.jobId;
        },
        address: String,
        allow: never,
        changed: () => this.#run.show(),
      },
    );
    this.#run.show();
  }

  get id(): string | undefined {
    return this.#last;
  }

  choose(run: Job): void {
    this.#run.choose({ job: run });
  }

  hide(): void {
    this.#run.hide();
  }

  is(...jobs: readonly Job[]): void {
    for (const job of jobs)
      if (isTerminal(job.state)) putRecordedJob(this.#runs, job);
      else observeJobs(this.store, [job]);
  }
}

it('a run that was asked for is shown until the file is run again', () => {
  const first = job('first', 'completed', 0);
  const shown = new Shown(first, job('second', 'completed', 10));
  expect(shown.id).toBe('second');
  shown.choose(first);
  expect(shown.id).toBe('first');
  // Another record was read.
  shown.is(job('earlier', 'completed', -10));
  expect(shown.id).toBe('first');
  shown.is(job('third', 'running', 20));
  expect(shown.id).toBe('third');
  shown.is(job('third', 'completed', 20));
  expect(shown.id).toBe('third');
});

it('a hidden run makes room for another one that runs, not for one that is over', () => {
  const shown = new Shown(job('over', 'completed', 0), job('one', 'running', 10), job('two', 'running', 11));
  expect(shown.id).toBe('one');
  shown.hide();
  expect(shown.id).toBe('two');
  shown.is(job('one', 'completed', 10));
  expect(shown.id).toBe('two');
  shown.hide();
  expect(shown.id).toBeUndefined();
  shown.is(job('two', 'completed', 11));
  expect(shown.id).toBeUndefined();
  shown.is(job('three', 'pending', 30));
  expect(shown.id).toBe('three');
});
