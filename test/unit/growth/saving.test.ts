import { describe, it } from 'vitest';
import type { Job } from '../../../src/core/jobs/job';
import { FreeNames } from '../../../src/core/outputs/freeNames';
import { saveOutputs } from '../../../src/core/runLife/saveOutputs';
import type { OutputFile } from '../../../src/core/protocol/outputFile';
import { expectGentleGrowth } from '../../support/growth';
import { MemoryFolder } from '../outputs/memoryFolder';
import { unchanged } from '../../support/unchanged';

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
          record: { hide: unchanged },
          signal: new AbortController().signal,
        }),
    });
  });
});

describe('free names', () => {
  it('for thousands of outputs with one name take linear time', async () => {
    await expectGentleGrowth({
      from: 1_000,
      to: 64_000,
      input: (size) => ({ size, names: new FreeNames([]) }),
      run: ({ size, names }) => {
        for (let index = 0; index < size; index++) names.take('portrait-20260102-030405-ComfyUI.png');
      },
    });
  });

  it('take linear time when as many files exist already', async () => {
    await expectGentleGrowth({
      from: 1_000,
      to: 32_000,
      input: (size) => Array.from({ length: size }, (_, index) => `a (${index + 2}).png`).concat('a.png'),
      run: (there) => {
        const names = new FreeNames(there);
        for (let index = 0; index < there.length; index++) names.take(`a (${index}).png`);
      },
    });
  });
});
