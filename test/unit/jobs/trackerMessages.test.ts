import { describe, expect, it, vi } from 'vitest';
import type { ServerEvent } from '../../../src/core/protocol/serverEvent';
import { completed, tracked, trackedJob } from './fakeServer';
import { begin, executing, id, origin, over, progressState, progressNode, success } from './observations';
import { fakeTime, seconds } from './trackerTime';

fakeTime();

describe('messages from the server', () => {
  const said = (text: string, about?: string): ServerEvent => ({ type: 'notification', text, id: about });
  const words = (store: ReturnType<typeof tracked>['store'], job = id) =>
    store.get(job)?.notices?.map(({ text }) => text);

  it('are kept with their job, even if they arrive before the answer that names it', () => {
    const { store, tracker, hear } = tracked();
    hear(said('Queued for execution', id), said('of nobody', 'no-job'));
    tracker.submitted(id, origin);
    hear(said('Waiting for a machine', id), said('Waiting for a machine', id));
    expect(words(store)).toEqual(['Queued for execution', 'Waiting for a machine']);
    expect(store.jobs()).toHaveLength(1);
  });

  it("belong to the only job if they don't name one, and to none if there are two", () => {
    const { store, tracker, hear } = trackedJob();
    hear(said('Starting'));
    tracker.submitted('second', origin);
    hear(said('For whom?'));
    expect(words(store)).toEqual(['Starting']);
    expect(words(store, 'second')).toBeUndefined();
  });

  it('and texts in binary frames are kept for the run that is being sent', async () => {
    const { store, tracker, hear } = tracked();
    const release = await tracker.ready();
    hear({ type: 'progressText', nodeId: '', text: 'Loading the model' }, said('Queued'));
    hear({ type: 'progressText', promptId: id, nodeId: '2', text: 'Sampling' });
    hear({ type: 'progressText', promptId: 'other', nodeId: '2', text: 'of another' });
    tracker.submitted(id, origin);
    release();
    expect(words(store)).toEqual(['Loading the model', 'Queued']);
    expect(store.get(id)?.nodes['2']?.text).toBe('Sampling');
    expect(store.jobs()).toHaveLength(1);
  });

  it('and texts without a job are not kept for a later run, or while two are being sent', async () => {
    const { store, tracker, hear } = tracked();
    const text: ServerEvent = { type: 'progressText', nodeId: '', text: 'Loading' };
    hear(text);
    const refused = await tracker.ready();
    hear(text);
    refused();
    const both = [await tracker.ready(), await tracker.ready()];
    hear(text);
    tracker.submitted(id, origin);
    for (const release of both) release();
    expect(words(store)).toBeUndefined();
  });

  it('are bounded', () => {
    const { store, hear } = trackedJob();
    for (let count = 1; count <= 100; count++) hear(said(`${count} ${'x'.repeat(10_000)}`, id));
    expect(store.get(id)?.notices).toHaveLength(20);
    expect(store.get(id)?.notices?.at(-1)?.text).toHaveLength(2_000);
  });
});

describe('a message that is too large', () => {
  it('is reported, and what it may have contained is requested', async () => {
    const { source, tracker, hear } = trackedJob('running');
    await seconds(2);
    const before = source.count(`job ${id}`);
    hear({ type: 'dropped', reason: 'The server sent a message of 39 MB.' });
    await seconds(1);
    expect(tracker.state.unread).toBe('The server sent a message of 39 MB.');
    expect(source.count(`job ${id}`) - before).toBe(1);
  });
});

describe('a text of which the server does not say how it is laid out', () => {
  const text = (nodeId: string, rest: string): ServerEvent => ({
    type: 'progressText',
    nodeId,
    text: rest,
    whole: nodeId + rest,
  });
  const shown = (store: ReturnType<typeof tracked>['store']) => store.get(id)?.nodes['2']?.text;

  it('is read with its prefix if that names a node of a running job', () => {
    const { store, tracker, hear } = tracked();
    tracker.submitted(id, { ...origin, nodeNames: { 1: 'Load', 2: 'Sampler' } });
    hear(begin, executing('2'), text('2', 'Sampling'));
    expect(shown(store)).toBe('Sampling');
    // Node 1 is not the one that runs: the text is about another job.
    hear(text('1', ' of 4 steps'));
    expect(shown(store)).toBe('Sampling');
  });

  it('is whole otherwise, and about the node that runs', () => {
    const { store, tracker, hear } = tracked();
    tracker.submitted(id, { ...origin, nodeNames: { 2: 'Sampler' } });
    hear(begin, executing('2'), text('1', ' of 4 steps'));
    expect(shown(store)).toBe('1 of 4 steps');
    hear({ type: 'progressText', nodeId: '', text: '2 of 4 steps' });
    expect(shown(store)).toBe('2 of 4 steps');
  });

  it('is about the job as long as no node runs', () => {
    const { store, hear } = trackedJob();
    hear(begin, { type: 'progressText', nodeId: '', text: 'Loading the model' });
    expect(store.get(id)?.notices).toMatchObject([{ text: 'Loading the model' }]);
  });
});

describe('messages without a job', () => {
  const picture = { type: 'preview', mime: 'image/jpeg', image: new Uint8Array([1]) } satisfies ServerEvent;

  it('that are previews go to the job last seen running, and to none after it', () => {
    const { previews, hear } = tracked();
    hear(picture, begin, executing('2'), picture);
    hear(over, picture);
    expect(previews).toMatchObject([{ jobId: id, nodeId: '2' }]);
  });

  it('that are texts count only for a job whose node is running', () => {
    const { store, hear } = tracked();
    hear(begin, progressState(progressNode('2', 'running')), executing('2'));
    hear(
      { type: 'progressText', nodeId: '9', text: 'of another' },
      { type: 'progressText', nodeId: '2', text: 'ours' },
    );
    expect(store.get(id)?.nodes).toMatchObject({ '2': { text: 'ours' } });
    expect(store.get(id)?.nodes).not.toHaveProperty('9');
  });

  it('that report the end of a run trigger reading its record', async () => {
    const { source, store, tracker, hear } = tracked();
    const end = { type: 'executing', nodeId: null } satisfies ServerEvent;
    source.records.set(id, completed);
    tracker.submitted(id, origin);
    hear(begin, success, end);
    await vi.advanceTimersByTimeAsync(10);
    expect(source.count(`job ${id}`)).toBe(1);

    source.running = ['second', 'third'];
    for (const other of source.running) tracker.submitted(other, origin);
    await seconds(2);
    source.running = [];
    source.records.set('second', { ...completed, id: 'second' });
    source.records.set('third', { ...completed, id: 'third' });
    hear(end);
    await vi.advanceTimersByTimeAsync(10);
    expect(['second', 'third'].map((each) => store.get(each)?.state)).toEqual(['completed', 'completed']);
  });

  it('that name the node after a reconnect belong to our running job', () => {
    const { store, hear } = trackedJob();
    hear(begin, { type: 'executing', nodeId: '2' });
    expect(store.get(id)?.currentNodeId).toBe('2');
  });
});
