import { afterAll, expect, it, vi } from 'vitest';
import { saveAlone } from '../../support/saveAlone';
import { OutputsNotSavedError } from '../../../src/core/runLife/outputsNotSaved';
import { MemoryFolder } from '../outputs/memoryFolder';
import { unchanged } from '../../support/unchanged';
import { jobThat, made } from './followedRun';

// Other test files have loaded the module, and more will.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());

vi.mock(import('../../../src/core/safety/budgets'), async (original) => {
  const { budgets } = await original();
  return { budgets: { ...budgets, outputFiles: 3 } as unknown as typeof budgets };
});

async function saved(count: number, bytes: number): Promise<{ folder: MemoryFolder; error: unknown }> {
  const folder = new MemoryFolder();
  const job = jobThat('completed', ...Array.from({ length: count }, (_, index) => made(`${index}.png`)));
  const body = () => new Blob([new Uint8Array(bytes)]).stream();
  const error: unknown = await saveAlone({
    job,
    folder,
    client: { view: () => Promise.resolve({ body: body(), resumable: false }) },
    record: { hide: unchanged },
    timing: { waits: [] },
    signal: new AbortController().signal,
  }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { folder, error };
}

const pictures = ({ names }: MemoryFolder) => names.filter((name) => name.endsWith('.png'));

it("saves a limited number of a job's files at a time, and says so", async () => {
  const { folder, error } = await saved(5, 2);
  expect(error).toBeInstanceOf(OutputsNotSavedError);
  expect(error).toMatchObject({
    reason: 'tooMany',
    message: 'The job made 5 files, but only 3 are saved at a time. 3 outputs saved.',
    nextAction: 'Save the outputs again while the server still has them.',
  });
  expect(pictures(folder)).toHaveLength(3);
  expect((await saved(3, 2)).error).toBeUndefined();
});
