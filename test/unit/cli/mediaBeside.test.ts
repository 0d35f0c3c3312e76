import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mediaBeside } from '../../../src/cli/workflowFile';
import { CliWorld } from './cliWorld';

describe('the files of a workflow on the command line', () => {
  it('are in its folder, or in the working folder around it, which marks them', async () => {
    const world = await CliWorld.open();
    await mkdir(world.path('flows'));
    await mkdir(world.path('input'));
    await writeFile(world.path('flows/near.png'), 'near');
    await writeFile(world.path('input/far.png'), 'far');
    const workflow = world.path('flows/w.json');
    const near = await mediaBeside(workflow, 'near.png', world.folder);
    expect(near).toMatchObject({ description: path.join('flows', 'near.png'), marks: [] });
    const far = await mediaBeside(workflow, 'far.png', world.folder);
    expect(far).toMatchObject({ description: path.join('input', 'far.png'), marks: ['outsideFolder'] });
    expect(await mediaBeside(workflow, 'far.png', world.path('elsewhere'))).toBeUndefined();
  });
});
