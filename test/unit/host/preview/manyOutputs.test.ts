import { expect, it } from 'vitest';
import type { Job } from '../../../../src/core/jobs/job';
import { previewJob } from '../../../../src/host/preview/previewModel';

it('shows the first of thousands of outputs, and the number of the others', () => {
  const job: Job = {
    id: 'job-1',
    server: 'http://127.0.0.1:8188',
    state: 'completed',
    cancelling: false,
    nodes: {},
    outputs: Array.from({ length: 3_000 }, (_, index) => ({
      filename: `${index}.png`,
      subfolder: '',
      area: 'output',
      nodeId: '9',
      media: 'image',
    })),
    texts: [],
    blocked: [],
  };
  const { outputs } = previewJob(job, 'server', () => ({}));
  expect(outputs).toHaveLength(501);
  expect(outputs.at(-1)).toMatchObject({ media: 'text', text: '2500 more outputs are in the Jobs view.' });
});
