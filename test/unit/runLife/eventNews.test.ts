import { expect, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { finishRun, resumeRun } from '../../../src/core/runLife/takeUpRun';
import { OwnedRun } from '../../../src/core/runLife/ownedRun';
import { RunLeft } from '../../../src/core/runLife/run';
import { readRunRecord } from '../../../src/core/records/runRecord';
import { tracked } from '../jobs/fakeServer';
import { begin, detail, executed, executing, id, success } from '../jobs/observations';
import { fakeTime, seconds } from '../jobs/trackerTime';
import { followedRun, pictureOf } from './followedRun';

fakeTime();

const never = new AbortController().signal;

/** What a program has of a server that runs the job and tells outputs by events only. */
function program() {
  const told = tracked();
  told.source.running = [id];
  const client = { view: (file: Job['outputs'][number]) => Promise.resolve(pictureOf(file)) };
  const session = { tracker: told.tracker, client } as unknown as Parameters<typeof resumeRun>[1];
  const end = async (): Promise<void> => {
    told.source.running = [];
    told.source.records.set(id, detail('completed', { tellsOutputs: false }));
    await seconds(20);
  };
  return { ...told, session, end };
}

/** A run with two output nodes, of which the first was heard before its program was left. */
async function restarted() {
  const { run, folder, ports } = await followedRun({ outputNodes: ['3', '4'] });
  const onDisk = () => readRunRecord(String(folder.files.get(run.name)));
  const earlier = program();
  await run.accepted(id);
  await earlier.tracker.ready();
  earlier.tracker.submitted(id, run.origin);
  const leaving = new AbortController();
  const left = finishRun(run, earlier.session, ports, leaving.signal);
  earlier.hear(begin, executing('3'), executed('3', ['a.png']));
  await seconds(1);
  // A kill now would leave this.
  expect(onDisk()).toMatchObject({
    state: 'submitted',
    expected: [{ original: 'a.png' }],
    outputNodes: ['4'],
    files: [],
  });
  leaving.abort(new RunLeft());
  await left;
  await run.close();
  const later = program();
  const again = await OwnedRun.open(run.name, ports);
  if (!(again instanceof OwnedRun)) throw new Error('It is locked.');
  const resumed = resumeRun(again, later.session, ports, { wait: true }, never);
  await seconds(1);
  return { ...later, resumed, onDisk };
}

it('what events told of a run is kept by a restart in the middle of it', async () => {
  const { hear, end, resumed, onDisk } = await restarted();
  hear(begin, executed('4', ['b.png']), success);
  await end();
  expect(await resumed).toMatchObject({
    kind: 'saved',
    files: [{ file: { filename: 'a.png' } }, { file: { filename: 'b.png' } }],
  });
  expect(onDisk()).toMatchObject({ state: 'saved', outputNodes: [] });
});

it('outputs that nobody heard are unknown after a restart, and those that were heard are saved', async () => {
  const { hear, end, resumed, onDisk } = await restarted();
  // A running job is announced once more: that is not its start.
  hear(begin, success);
  await end();
  expect(await resumed).toMatchObject({ kind: 'outputsUnknown', files: [{ file: { filename: 'a.png' } }] });
  expect(onDisk()).toMatchObject({ state: 'outputsUnknown', files: [{ original: 'a.png' }] });
});

it('a run that its server forgot is lost, and what was heard of it is saved', async () => {
  const { source, resumed, onDisk } = await restarted();
  source.running = [];
  await seconds(120);
  expect(await resumed).toMatchObject({ kind: 'lost', why: 'forgotten' });
  expect(onDisk()).toMatchObject({ state: 'lost', files: [{ original: 'a.png' }] });
});

it('a price that was told while the job ran is kept by a kill', async () => {
  const { run, ports, folder } = await followedRun();
  const { tracker, session, hear } = program();
  await run.accepted(id);
  await tracker.ready();
  tracker.submitted(id, run.origin);
  void finishRun(run, session, ports, never);
  const text = 'Status: processing\nPrice: 12.5 credits';
  hear(begin, executing('2'), { type: 'progressText', promptId: id, nodeId: '2', text });
  await seconds(1);
  const record = readRunRecord(String(folder.files.get(run.name)));
  expect(record).toMatchObject({ state: 'submitted', price: { credits: 12.5 } });
});
