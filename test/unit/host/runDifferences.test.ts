import { expect, it, vi } from 'vitest';
import { RunDifferences } from '../../../src/host/jobs/runDifferences';
import { stored } from '../jobs/observations';

const prompts: Readonly<Record<string, string>> = {
  a: '{"1":{"class_type":"KSampler","inputs":{"steps":20}}}',
  b: '{"1":{"class_type":"KSampler","inputs":{"steps":30}}}',
};

it('reports once what a run changed, after reading its prompt and the previous one', async () => {
  const onKnown = vi.fn();
  const of = vi.fn(({ id }: { id: string }) => Promise.resolve({ promptText: prompts[id] ?? '' }));
  const log = { error: (_what: string, error: unknown) => expect.unreachable(String(error)) };
  const differences = new RunDifferences({ sent: of as never }, log, onKnown);
  const [before, job] = [stored('completed', 'a'), stored('completed', 'b')];
  expect(differences.of(job, before)).toBeUndefined();
  await vi.waitFor(() => expect(onKnown).toHaveBeenCalledWith('b'), 20_000);
  expect(differences.of(job, before)).toEqual(['steps 20 → 30']);
  expect(differences.of(job, before)).toEqual(['steps 20 → 30']);
  expect(of).toHaveBeenCalledTimes(2);
  differences.dispose();
});
