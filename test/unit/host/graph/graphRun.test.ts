import { describe, expect, it } from 'vitest';
import type { Job, JobNode, JobState } from '../../../../src/core/jobs/job';
import { collectOutputs } from '../../../../src/core/protocol/outputRecord';
import { jobGraphRun, drawnNodePicture, type GraphRunFacts } from '../../../../src/host/graph/graphRun';
import { failure, stored } from '../../jobs/observations';

const facts: GraphRunFacts = { isChanged: false, addressOf: ({ filename }) => `at ${filename}`, now: 0 };

const names = { 1: 'Load', 2: 'KSampler', '3:4': 'Inner', '3:5:6': 'Innermost', 7: 'SaveImage' };

function job(
  state: JobState,
  nodes: Readonly<Record<string, Partial<JobNode>>>,
  more: Partial<Job> = {},
): Job {
  const known = stored(state);
  const made = Object.entries(nodes).map(([nodeId, node]) => [
    nodeId,
    { nodeId, state: 'finished', value: 0, max: 1, ...node },
  ]);
  return {
    ...known,
    origin: { label: 'look.json', seeds: {}, ...known.origin, nodeNames: names },
    nodes: Object.fromEntries(made) as Job['nodes'],
    ...more,
  };
}

const shown = (of: Job, drawn = ['1', '2', '3', '7']): Record<string, unknown> =>
  Object.fromEntries(
    jobGraphRun(of, new Set(drawn), facts).nodes.map(({ node, state, note, share }) => [
      node,
      [state, note, share],
    ]),
  );

describe('a run on the drawn nodes', () => {
  it('says of each node what it does, and of an instance what happens inside', () => {
    const running = job('running', {
      1: { state: 'cached' },
      2: { startedAt: 1_000, endedAt: 3_500 },
      '3:4': { startedAt: 4_000, endedAt: 5_000 },
      '3:5:6': { state: 'running', value: 4, max: 20, startedAt: 5_000, stepsAt: 6_000 },
    });
    expect(shown(running)).toEqual({
      1: ['cached', 'cached', undefined],
      2: ['done', '2.5 s', undefined],
      3: ['running', '1/2 nodes', 0.5],
      7: ['waiting', 'waiting', undefined],
    });
    expect(shown(running, ['3:4', '3:5'])).toEqual({
      '3:4': ['done', '1.0 s', undefined],
      '3:5': ['running', 'step 4/20', 0.2],
    });
  });

  it('tells no state of what a run that is over did not finish, or a server skips', () => {
    const cut = job('cancelled', { 1: {}, 2: { state: 'running', startedAt: 1_000 } });
    expect(shown(cut)).toEqual({ 1: ['done', 'completed', undefined] });
    const partly = job('completed', { 1: {}, 2: {} });
    const leftOut = { outputs: ['7'], nodes: ['7'] };
    const left = { ...partly, origin: partly.origin && { ...partly.origin, leftOut } };
    expect(shown(left)['7']).toEqual([undefined, 'skipped', undefined]);
  });

  it('gives the reason to the node that failed, or around it, or to the whole run', () => {
    const failed = (nodeId: string | undefined): Job =>
      job('failed', { '3:4': { state: 'error' } }, { failure: failure({ nodeId, message: 'bad size' }) });
    const run = jobGraphRun(failed('3:4'), new Set(['3']), facts);
    expect(run.nodes).toMatchObject([{ node: '3', state: 'failed', note: 'failed' }]);
    expect(run.nodes[0]?.reason).toContain('bad size');
    expect(run.words).not.toContain('bad size');
    expect(jobGraphRun(failed(undefined), new Set(['3']), facts).words).toContain('bad size');
  });

  it('gives a reason to a drawn node that the run says nothing else of, and the first ones of many', () => {
    const blocked = Array.from({ length: 9 }, (_, at) =>
      failure({ nodeId: at < 8 ? '9' : undefined, message: `bad ${at}` }),
    );
    const run = jobGraphRun(job('completed', {}, { blocked }), new Set(['9']), facts);
    expect(run.nodes).toMatchObject([{ node: '9', note: '' }]);
    expect(run.nodes[0]?.reason?.split('\n')).toHaveLength(6);
    expect(run.nodes[0]?.reason).toMatch(/bad 4.*\n… and 3 more$/);
    expect(run.words).toContain('bad 8');
  });

  it('does not take a very long ID of a server apart', () => {
    const nodeId = `3${':'.repeat(300_000)}`;
    const failed = job('failed', {}, { failure: failure({ nodeId, message: 'bad size' }) });
    expect(jobGraphRun(failed, new Set(['3']), facts)).toMatchObject({ nodes: [] });
  });

  it('has the first image on disk of each node, and counts the others', () => {
    const image = (filename: string) => ({ filename, subfolder: '', type: 'output' });
    const outputs = collectOutputs({
      '3:5:6': { images: [image('gone.png'), image('a.png'), image('b.png')] },
      7: { images: [image('c.mp4')] },
    }).files;
    const made = job('completed', {}, { outputs });
    const here = new Set(['3', '7']);
    const isThere = ({ filename }: { filename: string }): boolean => filename !== 'gone.png';
    const addressOf: GraphRunFacts['addressOf'] = (file) =>
      isThere(file) ? `at ${file.filename}` : undefined;
    const run = jobGraphRun(made, here, { ...facts, addressOf });
    expect(run.nodes).toMatchObject([{ node: '3', picture: { source: 'at a.png', name: 'a.png', more: 1 } }]);
    expect(drawnNodePicture(made, '3', here, isThere)?.filename).toBe('a.png');
    expect(drawnNodePicture(made, '7', here, isThere)).toBeUndefined();
  });

  it('begins with what changes while it goes on', () => {
    const sampling = { 1: {}, 2: { state: 'running' as const, value: 7, max: 20 } };
    const wordsOf = (of: Job): string => jobGraphRun(of, new Set(), facts).words;
    expect(wordsOf(job('running', sampling))).toBe('Running 1/5, step 7/20');
    expect(wordsOf(job('running', { 1: {}, 2: {} }))).toBe('Running 2/5');
    expect(wordsOf(job('pending', {}, { queuePosition: 2 }))).toBe('Queued, number 2');
    expect(wordsOf(job('running', sampling, { cancelling: true }))).toBe('Cancelling');
  });

  it('says what was run and when, that the file has changed, and that the server is silent', () => {
    const over = job('completed', {}, { startedAt: 1_000, endedAt: 3_000 });
    const { name, words } = jobGraphRun(over, new Set(), { ...facts, isChanged: true });
    expect(name).toMatch(/^portrait\.json, \d.*[AP]M$/);
    expect(words).toMatch(/^Completed, 2 s, \d.*[AP]M, the file has changed since$/);
    const silent = jobGraphRun(job('running', {}), new Set(), { ...facts, silence: { since: undefined } });
    expect(silent.words).toBe('Running when last seen, waiting for the server');
  });

  it('is not misled by IDs that lead nowhere', () => {
    const odd = job('running', { constructor: {}, ':': {}, '3:': {}, '': {} });
    expect(Object.keys(shown(odd))).toEqual(['1', '2', '3', '7']);
  });
});
