import { describe, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { saveOutputs } from '../../../src/core/outputs/saveOutputs';
import type { OutputFile } from '../../../src/core/protocol/outputFile';
import { expectGentleGrowth } from '../../support/growth';
import { MemoryFolder } from './memoryFolder';

const bytes = new Uint8Array(1);

function jobWith(outputs: readonly OutputFile[]): Job {
  return {
    id: 'job-1',
    server: 'http://127.0.0.1:8188',
    state: 'completed',
    cancelling: false,
    endedAt: 0,
    nodes: {},
    outputs,
    texts: [],
    blocked: [],
  };
}

describe('saving thousands of outputs takes linear time', () => {
  it.each([
    ['of one name', () => 'ComfyUI.png'],
    ['of different names', (index: number) => `ComfyUI_${index}.png`],
    ['whose names are those of numbered ones', (index: number) => `a (${index >> 1}).png`],
  ])('%s', async (_, nameOf) => {
    await expectGentleGrowth({
      from: 250,
      to: 2_000,
      input: (size) =>
        jobWith(
          Array.from({ length: size }, (_each, index) => ({
            filename: nameOf(index),
            subfolder: String(index),
            area: 'output',
            nodeId: '9',
            media: 'image',
          })),
        ),
      run: (job) =>
        saveOutputs({
          job,
          client: {
            view: () =>
              Promise.resolve({
                body: new ReadableStream({
                  start(controller) {
                    controller.enqueue(bytes);
                    controller.close();
                  },
                }),
                resumable: false,
              }),
          },
          folder: new MemoryFolder(),
          record: {},
          signal: new AbortController().signal,
        }),
    });
  });
});
