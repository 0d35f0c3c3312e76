import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Job } from '../../../../src/core/jobs/job';
import { RunStore } from '../../../../src/core/runLife/runStore';
import { JobStore } from '../../../../src/core/jobs/jobStore';
import { lostRecord, sendingRecord, submittedRecord } from '../../../../src/core/records/recordSteps';
import { writeRunRecord } from '../../../../src/core/records/runRecord';
import { runLostAgain } from '../../../../src/host/jobs/runJobsAgain';
import { RunRetry } from '../../../../src/host/runs/runRetry';
import type { Unattended } from '../../../../src/host/runs/runs';
import { told } from '../../../support/inMemoryVscode';
import { detail, id, observeJobs, putRecordedJob, server, stored } from '../../jobs/observations';

afterEach(() => {
  told.length = 0;
});

const lost = (id: string): Job => ({
  ...stored('lost'),
  id,
  origin: { label: id, nodeNames: {}, seeds: {} },
});

/**
 * A window whose server knows these jobs; `paid` runs ask before they spend.
 * @param folder with the run records
 */
function world(known: readonly string[], { paid = false, agrees = true, isAway = false, folder = '' } = {}) {
  const sent: string[] = [];
  const spend = vi.fn(() => Promise.resolve(agrees));
  const client = {
    job: (id: string) =>
      isAway
        ? Promise.reject(new Error('Nothing is listening.'))
        : Promise.resolve(known.includes(id) ? { id } : undefined),
  };
  const run = async (source: { label: string }, _choices: unknown, _on: unknown, asks: Unattended) => {
    if (paid && !(await asks.maySpend([]))) return;
    sent.push(source.label);
  };
  const parts = {
    servers: { sessionOf: () => Promise.resolve({ client, server: { name: 'One' }, origin: 'http://one' }) },
    run,
    consent: { spend, upload: () => Promise.resolve(true) },
    windowRuns: {
      folders: {
        sent: () => Promise.resolve({ promptText: '{}' }),
        runOf: ({ id }: Job) => Promise.resolve({ place: { folder }, isOurs: id !== 'theirs' }),
      },
      runs: { job: lost, jobs: () => ['a', 'b', 'theirs'].map(lost) },
    },
  } as unknown as Parameters<typeof runLostAgain>[1];
  return { sent, spend, parts };
}

it(
  'sends what the server has forgotten, and leaves alone what it has after all',
  { timeout: 40_000 },
  async () => {
    const { sent, spend, parts } = world(['b']);
    await runLostAgain(['a', 'b', 'c'], parts);
    expect(sent).toEqual(['a', 'c']);
    expect(spend).not.toHaveBeenCalled();
    await expect
      .poll(() => told, { timeout: 10_000 })
      .toEqual(['Not submitted again, because the server already has: b.']);
  },
);

it('asks once before it spends on all of them', async () => {
  const { sent, spend, parts } = world([], { paid: true });
  await runLostAgain(['a', 'b', 'c'], parts);
  expect(sent).toEqual(['a', 'b', 'c']);
  expect(spend.mock.calls).toEqual([[[], 3]]);
});

it('sends nothing more when that is declined', async () => {
  const { sent, spend, parts } = world([], { paid: true, agrees: false });
  await runLostAgain(['a', 'b'], parts);
  expect([sent, spend.mock.calls.length]).toEqual([[], 1]);
});

it('sends nothing while the server does not respond: it may have them', async () => {
  const { sent, parts } = world([], { isAway: true });
  await expect(runLostAgain(['a'], parts)).rejects.toThrow('Nothing is listening.');
  expect(sent).toEqual([]);
});

it('sends, of all that are lost, only what this user sent and has not sent again since', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'comfy-deck-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const server = 'http://one';
  for (const [sentAt, [id, text]] of [
    ['a', '{"1":{}}'],
    ['b', '{"2":{}}'],
    ['theirs', '{"3":{}}'],
    ['again', '{"2":{}}'],
  ].entries()) {
    const facts = { server, label: 'w.json', seeds: {}, promptText: text, sentAt };
    const sent = submittedRecord(sendingRecord(facts), String(id), sentAt);
    const record = id === 'again' ? sent : lostRecord(sent, 'forgotten');
    await writeFile(path.join(folder, `${id}.run.json`), writeRunRecord(record));
  }
  const { sent, parts } = world([], { folder });
  await runLostAgain(undefined, parts);
  expect(sent).toEqual(['a']);
});

describe('a run that counted as lost', () => {
  function world() {
    const store = new JobStore();
    const followed: string[] = [];
    const runs = new RunStore(store);
    const ofJob = (jobId: string) => Promise.resolve(void followed.push(jobId));
    const pointers = { ofJob, onDidChange: () => () => undefined };
    const retry = new RunRetry({ pointers, runs } as never, {} as never);
    const ended = () => store.observe({ kind: 'detail', detail: detail('completed'), server, at: 1 });
    return { store, runs, followed, retry, ended };
  }

  it('a job of an earlier window that counted as lost is followed when its server tells of its end', () => {
    const { runs, followed, ended } = world();
    putRecordedJob(runs, stored('lost'));
    ended();
    ended();
    expect(followed).toEqual([id]);
  });

  it('a job that was never lost is left to those who follow it', () => {
    const { store, followed, ended } = world();
    observeJobs(store, [stored('running')]);
    ended();
    expect(followed).toEqual([]);
  });
});
