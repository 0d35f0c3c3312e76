import { expect, it } from 'vitest';
import { plainProgress } from '../../../src/cli/progressDisplay';
import { failureLine } from '../../../src/core/jobs/failureText';
import { seedName } from '../../../src/core/jobs/jobWords';
import { rowOfNode, nodesToList } from '../../../src/host/jobs/jobRow';
import { previewJob } from '../../../src/host/preview/previewModel';
import {
  begin,
  executed,
  executing,
  failed,
  failure,
  id,
  progressNode,
  progressState,
  reduced,
  run,
} from './observations';

// What every object has.
const ids = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];

it.each(ids)('a node that a server calls %s is named by its ID wherever it is shown', (nodeId) => {
  const events = [
    begin,
    executing(nodeId),
    progressState(progressNode(nodeId, 'running', 3, 20)),
    { type: 'progressText', promptId: id, nodeId, text: 'half done' } as const,
    executed(nodeId, ['a.png']),
    failed({ nodeId }),
  ];
  const job = reduced(run(...events));
  const { nodes, outputs, words } = previewJob(job, 'Server', () => ({}));
  const names = [...nodes.map(({ name }) => name), ...outputs.map(({ nodeName }) => nodeName)];
  expect([...names, ...words.map(({ from }) => from)].join(), 'in the preview').not.toContain('native code');
  const labels = nodesToList(job).map((each) => rowOfNode(job, each)?.label);
  expect(labels.filter((label) => typeof label !== 'string')).toEqual([]);
  expect(rowOfNode(reduced(run(begin)), nodeId)).toBeUndefined();
  const written: string[] = [];
  const display = plainProgress((text) => written.push(text));
  for (const [at] of events.entries()) display.job(reduced(run(...events.slice(0, at + 1))));
  expect(written.join(''), 'on the command line').not.toContain('native code');
  expect(failureLine(job, failure({ nodeId })).line()).toContain(`node ${nodeId}`);
  expect(seedName(`${nodeId}.seed`, {})).toBe(`${nodeId}.seed`);
});
