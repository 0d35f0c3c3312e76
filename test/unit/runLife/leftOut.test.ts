import { describe, expect, it } from 'vitest';
import { completedWords, leftOutName, leftOutOutputs } from '../../../src/core/jobs/jobWords';
import { findLeftOut } from '../../../src/core/runLife/submitOnce';
import { readNodeErrors } from '../../../src/core/protocol/nodeErrors';
import { jobRow, rowOfNode } from '../../../src/host/jobs/jobRow';
import { previewJob, tabState } from '../../../src/host/preview/previewModel';
import type { Job } from '../../../src/core/jobs/job';
import { storedElsewhere } from '../jobs/observations';

const prompt = JSON.stringify({
  1: { class_type: 'EmptyImage', inputs: {} },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0] } },
  3: { class_type: 'Scale', inputs: { image: ['1', 0] } },
  4: { class_type: 'Blur', inputs: { image: ['3', 0], mask: ['3', 1] } },
  5: { class_type: 'SaveText', inputs: { source: ['4', 0] } },
  6: { class_type: 'Unused', inputs: {} },
});
const errors = readNodeErrors({ 5: { errors: [], class_type: 'SaveText', dependent_outputs: ['5'] } });

const job: Job = {
  ...storedElsewhere('completed'),
  origin: {
    label: 'w.json',
    nodeNames: { 1: 'EmptyImage', 2: 'SaveImage', 3: 'Scale', 4: 'Blur', 5: 'SaveText' },
    seeds: {},
    leftOut: { outputs: ['5'], nodes: ['5', '4', '3'] },
  },
  nodes: {
    1: { nodeId: '1', state: 'finished', value: 1, max: 1 },
    2: { nodeId: '2', state: 'finished', value: 1, max: 1 },
    3: { nodeId: '3', state: 'pending', value: 0, max: 1 },
  },
};

describe('nodes that a server leaves out', () => {
  it('are the outputs that it names, and what only they depend on', () => {
    expect(findLeftOut(prompt, errors)).toEqual({ outputs: ['5'], nodes: ['5', '4', '3'] });
    expect(findLeftOut(prompt, {})).toBeUndefined();
    const inner = readNodeErrors({ 3: { errors: [], class_type: 'Scale', dependent_outputs: ['5'] } });
    expect(findLeftOut(prompt, inner)).toEqual({ outputs: ['5'], nodes: ['5', '4', '3'] });
    const silent = readNodeErrors({ 5: { errors: [] } });
    expect(findLeftOut(prompt, silent)?.outputs).toEqual(['5']);
  });

  it('are not those that another output still needs, though it is behind them in the prompt', () => {
    const shared = JSON.stringify({
      2: { class_type: 'SaveImage', inputs: { images: ['1', 0] } },
      1: { class_type: 'EmptyImage', inputs: { size: [1, 2, 3], pair: [7, 0], text: '5' } },
      5: { class_type: 'SaveText', inputs: { source: ['1', 0], again: ['1', 0] } },
    });
    expect(findLeftOut(shared, errors)).toEqual({ outputs: ['5'], nodes: ['5'] });
  });

  it('are found beside what is no node', () => {
    const odd = JSON.stringify({ 3: null, 4: { inputs: [] }, 5: { inputs: { source: ['4', 0] } } });
    expect(findLeftOut(odd, errors)).toEqual({ outputs: ['5'], nodes: ['5', '4'] });
    expect(findLeftOut('[]', errors)).toEqual({ outputs: ['5'], nodes: ['5'] });
  });

  it('are not those that a value only looks like a link to', () => {
    const values = { three: ['3', 0, 1], text: '4x', number: [4, 0] };
    const odd = JSON.stringify({ 3: {}, 4: {}, 5: { inputs: values } });
    expect(findLeftOut(odd, errors)?.nodes).toEqual(['5']);
  });

  it('are each named once, in any circle', () => {
    const circle = JSON.stringify({ 4: { inputs: { a: ['5', 0] } }, 5: { inputs: { a: ['4', 0] } } });
    expect(findLeftOut(circle, errors)?.nodes).toEqual(['5', '4']);
  });

  it('are reported by name', () => {
    expect(leftOutOutputs(job).map(leftOutName)).toEqual(['SaveText (node 5)']);
    expect(completedWords(job)).toBe('completed, SaveText (node 5) skipped');
    expect(leftOutName({ nodeId: '7', name: '7' })).toBe('node 7');
  });

  it('have rows in the Jobs view, and the job has no check mark', () => {
    const row = jobRow(job, { files: 0, savedFiles: 0, saving: false, now: 0 });
    expect(row.icon.id).toBe('warning');
    expect(rowOfNode(job, '5')?.spoken).toBe('Node SaveText, skipped by the server');
  });

  it('are shown as left out in the preview, and the job not as fully completed', () => {
    const shown = previewJob(job, 'Test', () => ({}));
    expect(shown.stateText).toBe('Completed, SaveText (node 5) skipped');
    expect(shown.incomplete).toBe(true);
    expect(shown.progressText).toBe('2 of 5 nodes');
    expect(tabState(shown)).toBe('Partly Completed');
    expect(Object.fromEntries(shown.nodes.map(({ id, state }) => [id, state]))).toEqual({
      1: 'finished',
      2: 'finished',
      3: 'leftOut',
      4: 'leftOut',
      5: 'leftOut',
    });
  });
});
