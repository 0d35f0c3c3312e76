import { describe, expect, it } from 'vitest';

import { workflowsInPicture } from '../../../src/core/workflow/pictures/workflowsInPicture';
import { expectGentleGrowth } from '../../support/growth';
import { pictures } from './pictureShapes';

describe('looking for workflows in a file', { timeout: 300_000 }, () => {
  it.each(Object.entries(pictures))('takes time that grows with it: %s', async (_name, input) => {
    // Inflating stops at a budget, which is reached within the first sizes.
    await expectGentleGrowth({ from: 256, to: 8_192, input, run: (bytes) => workflowsInPicture(bytes) });
  });

  it('inflates no more of a file than the limit for one workflow', () => {
    const file = pictures['PNG prompts that inflate to no prompt']?.(2_000) ?? Buffer.alloc(0);
    expect(file.length).toBeLessThan(3_000_000);
    const before = process.memoryUsage().rss;
    expect(workflowsInPicture(file)).toEqual({});
    expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000);
  });
});
