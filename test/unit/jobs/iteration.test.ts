import { describe, expect, it } from 'vitest';
import { EventJob } from '../../../src/core/jobs/eventJob';
import { budgets } from '../../../src/core/safety/budgets';
import { nodeText, currentNodeState, stepWords } from '../../../src/core/jobs/iteration';
import type { Job } from '../../../src/core/jobs/job';
import { describeProgress, jobProgress, jobMessages } from '../../../src/core/jobs/jobWords';
import { nodeTook } from '../../../src/core/jobs/nodeTimes';
import type { JobObservation } from '../../../src/core/jobs/jobObservation';
import type { ServerEvent } from '../../../src/core/protocol/serverEvent';
import {
  begin,
  detail,
  event,
  executed,
  executing,
  failed,
  failure,
  id,
  origin,
  progressNode,
  progressState,
  reduced,
  reduceJobs,
  server,
  start,
  submitted,
  success,
} from './observations';

/* A loop over nodes 2 and 3 that node 1 starts and node 4 ends, as servers report one (protocol 1.5). */

type Part = readonly [executed: string, node: string];
const says = (done: number): ServerEvent => ({
  type: 'progressText',
  promptId: id,
  nodeId: '1',
  text: `Iteration ${done} / 3`,
});

/** Each part runs for a second; the snapshots list all parts so far. */
function loop(...parts: readonly Part[]): JobObservation[] {
  let at = start + 1_000;
  const own = progressNode('1', 'running');
  const told = [
    event(begin, at),
    event(progressState(own), at),
    event(executing('1'), at),
    event(says(0), at),
  ];
  for (const [index, [part, node]] of parts.entries()) {
    at += 1_000;
    const before = parts
      .slice(0, index)
      .map(([each, display]) => progressNode(each, 'finished', 1, 1, display));
    told.push(
      event(progressState(own, ...before, progressNode(part, 'running', 0, 1, node)), at),
      event(executing(part, node), at),
    );
    const done = /progress_(\d)$/.exec(part)?.[1];
    if (done !== undefined) told.push(event(says(Number(done) + 1), at));
    told.push(event(progressState(own, ...before, progressNode(part, 'finished', 1, 1, node)), at + 1_000));
  }
  return told;
}

const round = (index: number): Part[] => [
  [`1.0.0.iteration_${index}`, '1'],
  [`1.0.0.${index}_2`, '2'],
  [`1.0.0.${index}_3`, '3'],
  [`1.0.0.progress_${index}`, '1'],
];
const all = [...round(0), ...round(1), ...round(2), ['1.0.0.result', '1'] as const];
const nodeOf = (job: Job, nodeId: string) => job.nodes[nodeId] ?? expect.fail(nodeId);

describe('a loop that runs', () => {
  it('shows its iteration at the node that starts it', () => {
    const job = reduced([submitted(), ...loop(...all.slice(0, 6))]);
    expect(stepWords(nodeOf(job, '1'))).toBe('Iteration 2 of 3');
    expect(jobMessages(job)).toMatchObject([{ nodeId: '1', text: 'Iteration 2 of 3' }]);
    expect(nodeText('Iteration 0 / 3')).toBe('Iteration 1 of 3');
    expect(nodeText('Iteration 3 / 3')).toBe('Iteration 3 of 3');
    expect(nodeText('Iteration of thoughts')).toBe('Iteration of thoughts');
  });

  it('never shows the IDs of what is executed for it', () => {
    const job = reduced([submitted(), ...loop(...all), event(executed('1.0.0.2_3', ['a.png'], false, '3'))]);
    expect(Object.keys(job.nodes)).toEqual(['1', '2', '3']);
    expect(job.currentNodeId).toBe('1');
    expect(job.outputs).toMatchObject([{ nodeId: '3', filename: 'a.png' }]);
    expect(job.executed).toEqual(['3']);
  });

  describe('that fails', () => {
    const told = (...more: JobObservation[]) => reduced([submitted(), ...loop(...all.slice(0, 6)), ...more]);
    const running = event(executing('1.0.0.1_3', '3'), start + 60_000);
    const states = ({ nodes }: Job) => Object.values(nodes).map(({ nodeId, state }) => `${nodeId} ${state}`);

    it('does so at the node of the file, whatever the server calls it', () => {
      for (const nodeId of ['1', '3', '1.0.0.1_3']) {
        const job = told(running, event(failed({ nodeId }), start + 61_000));
        expect(job.failure?.nodeId).toBe('3');
        expect(states(job)).toEqual(['1 pending', '2 pending', '3 error']);
      }
    });

    it('does not move when its record tells it again', () => {
      const job = told(running, event(failed({ nodeId: '1', message: 'no' }), start + 61_000));
      const again = { kind: 'detail', server, at: start + 70_000 } as const;
      const jobs = reduceJobs(new Map([[id, job]]), {
        ...again,
        detail: detail('failed', { failure: failure({ nodeId: '1', message: 'no' }) }),
      });
      expect(jobs.get(id)?.failure?.nodeId).toBe('3');
      expect(states(jobs.get(id) ?? job)).toEqual(['1 pending', '2 pending', '3 error']);
    });

    it('does so itself if nothing in it runs', () => {
      const own = event(executing('1.0.0.result', '1'), start + 60_000);
      expect(told(own, event(failed({ nodeId: '1' }), start + 61_000)).failure?.nodeId).toBe('1');
      expect(
        reduced([submitted(), event(executing('1')), event(failed({ nodeId: '1' }))]).failure?.nodeId,
      ).toBe('1');
    });
  });

  it('shows a picture at the node of the file, also if the server names no such node', () => {
    const job = reduced([submitted(), ...loop(...all.slice(0, 6))]);
    const events = new EventJob(
      () => job,
      () => [id],
      () => 0,
    );
    const picture = { type: 'preview', promptId: id, mime: 'image/png', image: new Uint8Array() } as const;
    expect(events.preview({ ...picture, nodeId: '1.0.0.1_2' })).toMatchObject({ nodeId: '2' });
    expect(events.preview({ ...picture, nodeId: '1.0.0.9_3' }), 'never announced').toMatchObject({
      nodeId: '3',
    });
  });

  it('leaves a node of the prompt alone whose ID looks like one of an iteration', () => {
    const nodeNames = { '1': 'Start', '1.5': 'Odd', '1.0.0.0_2': 'Odder' };
    const odd: JobObservation = {
      kind: 'submitted',
      id,
      server,
      at: start,
      origin: { ...origin, nodeNames },
    };
    const job = reduced([odd, event(executing('1')), event(executing('1.5')), event(executing('1.0.0.0_2'))]);
    expect(Object.keys(job.nodes)).toEqual(Object.keys(nodeNames));
  });

  it('lets its nodes wait between two iterations', () => {
    const states = (count: number) => {
      const job = reduced([submitted(), ...loop(...all.slice(0, count))]);
      return ['1', '2', '3'].map((nodeId) => job.nodes[nodeId] && currentNodeState(job.nodes[nodeId]));
    };
    expect(states(2), 'the second has been executed').toEqual(['running', 'pending', undefined]);
    expect(states(13), 'that it is over is told later').toEqual(['finished', 'pending', 'pending']);
    const during = [...loop(...all.slice(0, 5)), event(executing('1.0.0.1_2', '2'), start + 60_000)];
    const job = reduced([submitted(), ...during]);
    expect(currentNodeState(nodeOf(job, '2'))).toBe('running');
  });

  it('is whole once its start was told to be over, whatever that still says', () => {
    const over = event(progressState(progressNode('1', 'finished', 1, 1)), start + 2_000);
    const job = reduced([submitted(), event(executing('1')), over, event(says(1), start + 3_000)]);
    expect(nodeOf(job, '1')).toMatchObject({ state: 'finished', value: 3, max: 3 });
  });

  it('counts steps of its nodes, never iterations or what is executed for them', () => {
    const before = loop(...all.slice(0, 5));
    const sampling = progressNode('1.0.0.1_2', 'running', 7, 20, '2');
    const job = reduced([
      submitted(),
      ...before,
      event(executing('1.0.0.1_2', '2'), start + 60_000),
      event(progressState(progressNode('1', 'running'), sampling), start + 60_000),
    ]);
    expect(describeProgress(job)).toBe('0/3 nodes, step 7/20');
    expect(describeProgress(reduced([submitted(), ...before]))).toBe('0/3 nodes');
    expect(jobProgress(job).fraction, 'one iteration of three').toBeCloseTo(1 / 3);
  });
});

describe('the times of a loop', () => {
  it('add up, for each node and for all', () => {
    const saving = progressNode('4', 'running');
    const ended = ['1', '4'].map((nodeId) => progressNode(nodeId, 'finished', 1, 1));
    const job = reduced([
      submitted(),
      ...loop(...all),
      event(progressState(progressNode('1', 'running'), saving), start + 15_000),
      event(progressState(...ended), start + 17_000),
      event({ ...success, timestamp: start + 17_000 }, start + 17_000),
    ]);
    const took = ['1', '2', '3', '4'].map((nodeId) => nodeTook(job, nodeId));
    expect(took).toEqual(['8.0 s', '3.0 s', '3.0 s', '2.0 s']);
    expect(new Set(Object.values(job.nodes).map(({ state }) => state))).toEqual(new Set(['finished']));
  });

  it('add up where loops are nested, and count nobody twice', () => {
    // The inner loop has two iterations.
    const inner = '1.0.0.0_2';
    const rounds = [`${inner}.0.0.0_3`, `${inner}.0.0.1_3`] as const;
    const running = ['1', inner].map((part) => progressNode(part, 'running', 0, 1, part === '1' ? '1' : '2'));
    const snapshots = [
      running.slice(0, 1),
      running,
      [...running, progressNode(rounds[0], 'running', 0, 1, '3')],
      [...running, progressNode(rounds[0], 'finished', 1, 1, '3')],
      [...running, progressNode(rounds[1], 'running', 0, 1, '3')],
      [...running, progressNode(rounds[1], 'finished', 1, 1, '3')],
      [...running, progressNode('1.0.0.result', 'running', 0, 1, '1')],
      [...running, progressNode('1.0.0.result', 'finished', 1, 1, '1')],
    ];
    const told = snapshots.map((nodes, index) => event(progressState(...nodes), start + 1_000 * index));
    const job = reduced([
      submitted(),
      ...told,
      event({ ...success, timestamp: start + 7_000 }, start + 7_000),
    ]);
    expect(['1', '2', '3'].map((nodeId) => nodeTook(job, nodeId))).toEqual(['3.0 s', '2.0 s', '2.0 s']);
  });
});

it('keeps no more parts of a node than a job may have nodes', () => {
  const many = Array.from({ length: budgets.nodesOfJob + 5 }, (_, index) =>
    progressNode(`1.0.0.${index}_2`, 'running', 0, 1, '2'),
  );
  const job = reduced([submitted(), event(progressState(...many)), event(executing('1.0.0.x_2', '2'))]);
  expect(Object.keys(job.nodes['2']?.parts ?? {})).toHaveLength(budgets.nodesOfJob);
});
