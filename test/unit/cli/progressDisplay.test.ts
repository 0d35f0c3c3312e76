import { describe, expect, it } from 'vitest';
import { liveProgress, plainProgress } from '../../../src/cli/progressDisplay';
import type { Job, JobNodeState } from '../../../src/core/jobs/job';

/** Times in ms. */
type NodeNow = readonly [
  state: JobNodeState,
  value?: number,
  max?: number,
  startedAt?: number,
  endedAt?: number,
];

const nodeNames = {
  '1': 'Load Checkpoint',
  '2': 'CLIP Text Encode',
  '3': 'CLIP Text Encode',
  '5': 'KSampler',
};

function jobWith(nodes: Readonly<Record<string, NodeNow>>): Job {
  return {
    id: 'j',
    server: 'http://127.0.0.1:8188',
    state: 'running',
    cancelling: false,
    outputs: [],
    texts: [],
    blocked: [],
    origin: { label: 'w.json', nodeNames, seeds: {} },
    nodes: Object.fromEntries(
      Object.entries(nodes).map(([nodeId, [state, value = 0, max = 1, startedAt, endedAt]]) => [
        nodeId,
        {
          nodeId,
          state,
          value,
          max,
          startedAt,
          endedAt,
        },
      ]),
    ),
  };
}

describe('the start of a loop that is told to be over before the loop is', () => {
  function lines(make: (write: (text: string) => void) => ReturnType<typeof plainProgress>): string {
    let written = '';
    const display = make((text) => (written += text));
    const job = (text: string, state: JobNodeState = 'finished', ended = false): Job => {
      const node = { nodeId: '1', state, value: state === 'finished' ? 3 : 0, max: 3, text };
      return { ...jobWith({}), state: ended ? 'completed' : 'running', nodes: { 1: node } };
    };
    display.job(job('Iteration 0 / 3', 'running'));
    display.job(job('Iteration 0 / 3'));
    display.job(job('Iteration 1 / 3'));
    written += '|';
    // The last one ends early, so no more is told.
    display.job(job('Iteration 1 / 3', 'finished', true));
    return written;
  }

  it('is not shown as completed until the loop is', () => {
    const [before = '', after = ''] = lines(plainProgress).split('|');
    expect(before).toContain('Load Checkpoint: running');
    expect(before).not.toContain('completed');
    expect(after).toContain('Load Checkpoint: completed');
    const live = lines((write) => liveProgress(write, 80)).split('|');
    expect(live[0]).toContain('1/3');
    expect(live[0]).not.toContain('3/3');
    expect(live[1]).toContain('3/3');
  });
});

describe('progress in files and pipes', () => {
  /** The lines shown for states of a job, at times in ms. */
  function linesOf(looks: readonly (readonly [number, Readonly<Record<string, NodeNow>>])[]): string[] {
    let written = '';
    let now = 0;
    const display = plainProgress(
      (text) => (written += text),
      () => now,
    );
    for (const [at, nodes] of looks) {
      now = at;
      display.job(jobWith(nodes));
    }
    return written.trimEnd().split('\n');
  }

  it('distinguishes nodes with the same title by their ids', () => {
    const looks = [
      [0, { '1': ['cached'], '2': ['running', 0, 1, 0] }],
      [450, { '1': ['cached'], '2': ['finished', 1, 1, 0, 410], '3': ['error'] }],
    ] as const;
    expect(linesOf(looks)).toEqual([
      'Load Checkpoint: cached',
      'CLIP Text Encode #2: running',
      'CLIP Text Encode #2: completed in 0.4 s',
      'CLIP Text Encode #3: failed',
    ]);
  });

  it('shows steps now and then, and their number and the time at the end', () => {
    const step = (value: number): Record<string, NodeNow> => ({ '5': ['running', value, 20, 0] });
    const looks = [
      [0, step(0)],
      [4_000, step(2)],
      [10_000, step(5)],
      [12_000, step(6)],
      [20_500, step(10)],
      [62_000, { '5': ['finished', 20, 20, 0, 62_000] }],
    ] as const;
    expect(linesOf(looks)).toEqual([
      'KSampler: running',
      'KSampler: step 5 of 20 after 10 s',
      'KSampler: step 10 of 20 after 20 s',
      'KSampler: completed, 20 steps in 1 min 2 s',
    ]);
  });

  it('says how long a node ran before it failed', () => {
    const looks = [
      [0, { '5': ['running', 0, 20, 0] }],
      [3_000, { '5': ['error', 3, 20, 0, 3_000] }],
    ] as const;
    expect(linesOf(looks)).toEqual(['KSampler: running', 'KSampler: failed after 3.0 s']);
  });

  it('lists nodes that ended together in execution order, each with its time', () => {
    const nodes = {
      '1': ['finished', 1, 1, 5_000, 5_300],
      '2': ['running', 0, 1, 5_300],
      '5': ['finished', 20, 20, 0, 5_000],
    } as const;
    expect(linesOf([[6_000, nodes]])).toEqual([
      'KSampler: completed, 20 steps in 5.0 s',
      'Load Checkpoint: completed in 0.3 s',
      'CLIP Text Encode #2: running',
    ]);
  });
});

describe('progress at a terminal', () => {
  it('says how long a node ran', () => {
    let written = '';
    const display = liveProgress((text) => (written += text), 80);
    display.job(jobWith({ '1': ['finished', 1, 1, 0, 250], '5': ['finished', 20, 20, 250, 62_000] }));
    expect(written).toMatch(/^Load Checkpoint .* completed, 0\.3 s\nKSampler .* 20\/20, 1 min 1 s\n$/);
  });

  it('always shows the ids of nodes with the same title, however long the title', () => {
    let written = '';
    const display = liveProgress((text) => (written += text), 80);
    const title = 'A title that is much longer than the room for it';
    const job = jobWith({ '2': ['cached'], '3': ['cached'], '5': ['cached'] });
    display.job({
      ...job,
      origin: { label: 'w', seeds: {}, nodeNames: { '2': title, '3': title, '5': 'KSampler' } },
    });
    const lines = written.trimEnd().split('\n');
    expect(lines.map((line) => line.slice(0, 28))).toEqual([
      'A title that is much lon… #2',
      'A title that is much lon… #3',
      'KSampler'.padEnd(28),
    ]);
  });
});
