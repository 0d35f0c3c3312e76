import { describe, expect, it } from 'vitest';
import type { JobOrigin } from '../../../src/core/jobs/job';
import type { ServerEvent } from '../../../src/core/protocol/serverEvent';
import { describeState } from '../../../src/core/jobs/jobWords';
import { ServerError } from '../../../src/core/protocol/serverError';
import { unheardOutputs } from '../../../src/core/jobs/outputCount';
import { begin, detail, executed, executing, id, origin, success } from './observations';
import { tracked } from './fakeServer';
import { fakeTime, seconds } from './trackerTime';

fakeTime();

/** A server that only tells the state of a job: its outputs are in events alone. */
async function eventsOnly(known: Partial<JobOrigin> = { outputNodes: ['3'] }) {
  const told = tracked();
  await told.tracker.ready();
  told.source.running = [id];
  told.tracker.submitted(id, { ...origin, ...known });
  /** The socket drops, and opens again. */
  const lose = () => {
    told.stream.enter({ kind: 'waiting', retryAt: Date.now(), reason: 'It was lost.' });
    told.stream.enter({ kind: 'open' });
  };
  const end = async () => {
    told.source.running = [];
    told.source.records.set(id, detail('completed', { tellsOutputs: false }));
    const ended = told.tracker.finished(id);
    await seconds(20);
    return ended;
  };
  return { ...told, lose, end };
}

function executedWith(output: Readonly<Record<string, unknown>>): ServerEvent {
  return { type: 'executed', promptId: id, nodeId: '3', displayNodeId: '3', output, merge: false };
}

describe('outputs that only events tell', () => {
  it('are unknown when the socket dropped before the node ended, whoever says that the job did', async () => {
    for (const later of [[], [success]]) {
      const { hear, lose, end } = await eventsOnly();
      hear(begin, executing('3'));
      lose();
      hear(...later);
      const job = await end();
      expect(unheardOutputs(job)).toBe('unknown');
      expect(describeState(job)).toBe('outputs unknown');
    }
  });

  it('stay unknown when the server tells the start of the job once more after the socket dropped', async () => {
    const { hear, lose, end } = await eventsOnly({ outputNodes: ['3', '4'] });
    hear(begin, executing('3'));
    lose();
    hear(begin, executed('4', ['b.png']), success);
    expect(unheardOutputs(await end())).toBe('unknown');
  });

  it.each([
    ['a message that is too large', { type: 'dropped', reason: 'The server sent a message of 39 MB.' }],
    ['a list with more than files', executedWith({ images: [{ filename: 'a.png' }, { name: 'b' }] })],
    ['no list', executedWith({ images: 'a.png' })],
  ] as const)('are unknown when they may be in what could not be read: %s', async (_, event) => {
    const { hear, end } = await eventsOnly();
    hear(begin, executing('3'), event, success);
    expect(unheardOutputs(await end())).toBe('unknown');
  });

  it('are those that events told when the server never says anything else about the job', async () => {
    const { hear, source, tracker } = await eventsOnly();
    source.job = () => Promise.reject(new ServerError('Lost.', { reason: 'network', endpoint: 'GET /' }));
    source.running = [];
    hear(begin, executed('3', ['a.png']), success);
    const ended = tracker.finished(id);
    await seconds(90);
    expect(await ended).toMatchObject({ state: 'completed', outputs: [{ filename: 'a.png' }] });
  });

  it('are unknown when the job is resumed later, or no event ever comes', async () => {
    const silent = await eventsOnly();
    expect(unheardOutputs(await silent.end())).toBe('unknown');
    const { tracker, source } = tracked();
    source.records.set(id, detail('completed', { tellsOutputs: false }));
    await tracker.details(id);
    tracker.resumed(id, { ...origin, outputNodes: ['3'] });
    await seconds(20);
    expect(unheardOutputs(await tracker.finished(id))).toBe('unknown');
  });

  it('are known when every output node was heard, whatever was missed', async () => {
    const { hear, lose, end } = await eventsOnly();
    hear(begin, executed('3', ['a.png']));
    lose();
    expect(unheardOutputs(await end())).toBeUndefined();
  });

  it('are known when the socket was away only before the job began', async () => {
    const { hear, lose, end } = await eventsOnly({});
    lose();
    hear(begin, executing('3'), success);
    expect(unheardOutputs(await end())).toBeUndefined();
  });

  it('are none when a node ran to the end in an open socket, and said to be kept when it was cached', async () => {
    const plain = await eventsOnly();
    plain.hear(begin, executing('3'), success);
    expect(unheardOutputs(await plain.end())).toBeUndefined();
    const kept = await eventsOnly();
    kept.hear({ type: 'executionCached', promptId: id, nodes: ['1', '3'] }, success);
    expect(unheardOutputs(await kept.end())).toBe('cached');
  });

  it('are unknown without definitions if the socket was ever away, and are not those of a left-out node', async () => {
    const blind = await eventsOnly({});
    blind.hear(begin, executed('3', ['a.png']));
    blind.lose();
    blind.hear(success);
    expect(unheardOutputs(await blind.end())).toBe('unknown');
    const partly = await eventsOnly({ outputNodes: ['3', '4'], leftOut: { outputs: ['4'], nodes: ['4'] } });
    partly.hear(begin, executed('3', ['a.png']));
    partly.lose();
    expect(unheardOutputs(await partly.end())).toBeUndefined();
  });

  it('are all there at once when events arrive before the answer to the submission', async () => {
    const { source, tracker, hear } = tracked();
    await tracker.ready();
    hear(begin, executing('3'), success);
    tracker.submitted(id, { ...origin, outputNodes: ['3'] });
    source.records.set(id, detail('completed', { tellsOutputs: false }));
    await seconds(20);
    expect(unheardOutputs(await tracker.finished(id))).toBeUndefined();
  });
});
