import { writeFile } from 'node:fs/promises';
import type { Dialect } from '../../../src/sandbox/dialect';
import type { SandboxOptions } from '../../../src/sandbox/sandbox';
import type { FaultySandbox } from '../../support/faults/faultySandbox';
import { sandboxForTest } from '../../support/sandboxFixture';
import { CliWorld } from './cliWorld';

export type Nodes = Record<string, { class_type: string; inputs: Record<string, unknown> }>;

/** One plain picture, saved. */
export const picture: Nodes = {
  1: { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'shot' } },
};
/** The picture goes through this node before it is saved. */
export const through = (class_type: string, inputs: Record<string, unknown>): Nodes => ({
  ...picture,
  3: { class_type, inputs: { value: ['1', 0], ...inputs } },
  2: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'shot' } },
});

/** Runs at human speed until it is stopped. */
export const slow: Nodes = through('SandboxSlow', { steps: 10_000 });

/** A world with a workflow file `w.json`. */
export async function worldWith(workflow: unknown, env: Record<string, string> = {}, columns?: number) {
  const world = await CliWorld.open({ env, columns });
  const text = typeof workflow === 'string' ? workflow : JSON.stringify(workflow);
  await writeFile(world.path('w.json'), text);
  return world;
}

/** A world with a workflow and a batch file `w.batch.json` for it. */
export async function worldWithBatch(
  batch: object,
  workflow: object = picture,
  env: Record<string, string> = {},
): Promise<CliWorld> {
  const world = await worldWith(workflow, env);
  await writeFile(world.path('w.batch.json'), JSON.stringify({ format: 1, workflow: 'w.json', ...batch }));
  return world;
}

/** A kind of server, or a local one at human speed. */
type On = Dialect | 'human' | SandboxOptions;

function besides(on: On): Promise<FaultySandbox> {
  if (typeof on === 'object') return sandboxForTest(on);
  return sandboxForTest(on === 'human' ? { dialect: 'local', timing: 'human' } : { dialect: on });
}

/** A sandbox, and a world with a workflow file. */
export async function worldBeside(on: On, ...given: Parameters<typeof worldWith>) {
  const sandbox = await besides(on);
  return { sandbox, url: sandbox.url, world: await worldWith(...given) };
}

/** A sandbox, and a world with a workflow and a batch file. */
export async function batchBeside(on: On, ...given: Parameters<typeof worldWithBatch>) {
  const sandbox = await besides(on);
  return { sandbox, url: sandbox.url, world: await worldWithBatch(...given) };
}

/** Runs the batch file, and saves to `out` beside it. */
export const runBatch = (world: CliWorld, ...more: string[]): Promise<number> =>
  world.run('batch', world.path('w.batch.json'), '--out', world.path('out'), ...more);
