import { describe, it } from 'vitest';

import type { Job } from '../../../src/core/jobs/job';
import { FreeNames } from '../../../src/core/outputs/outputNames';
import type { OutputFile } from '../../../src/core/protocol/outputFile';
import { saveAlone } from '../../support/saveAlone';
import { expectGentleGrowth } from '../../support/growth';
import { unchanged } from '../../support/unchanged';
import { stored } from '../jobs/observations';
import { MemoryFolder } from '../outputs/memoryFolder';
import { numbers } from './shapes';

const oneByte = { view: () => Promise.resolve({ body: new Blob(['x']).stream(), resumable: false }) };

describe('saving thousands of outputs takes linear time', () => {
  it.each([
    ['of one name', () => 'ComfyUI.png'],
    ['whose names are those of numbered ones', (index: number) => `a (${index >> 1}).png`],
  ])('%s', async (_, filenameOf) => {
    await expectGentleGrowth({
      from: 250,
      to: 2_000,
      input: (size): Job => {
        const outputs = numbers(size).map((index): OutputFile => {
          const filename = filenameOf(index);
          return { filename, subfolder: String(index), area: 'output', nodeId: '9', media: 'image' };
        });
        return { ...stored('completed', 'job-1'), outputs };
      },
      run: (job) =>
        saveAlone({
          job,
          client: oneByte,
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
      input: (size) => numbers(size).map((index) => `a (${index + 2}).png`),
      run: (existing) => {
        const names = new FreeNames([...existing, 'a.png']);
        for (const name of existing) names.take(name);
        existing.forEach(() => names.take('portrait-20260102-030405-ComfyUI.png'));
      },
    });
  });
});
