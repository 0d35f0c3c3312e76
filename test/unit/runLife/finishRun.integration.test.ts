import { expect, it } from 'vitest';
import { finishRun } from '../../../src/core/runLife/finishRun';
import { sandboxForTest } from '../../support/sandboxFixture';
import { asksOf, run, sessionWith } from '../runs/runFixture';

const early = {
  1: { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'early' } },
  3: { class_type: 'SandboxSlow', inputs: { value: ['1', 0], steps: 10_000 } },
  4: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'late' } },
};

it.each(['cloud', 'local'] as const)('a cancelled run saves what it had made (%s)', async (dialect) => {
  const { session, store } = sessionWith(await sandboxForTest({ dialect, timing: 'human' }));
  const asks = asksOf();
  const sent = await run(session, early, asks);
  if (sent.kind !== 'submitted') throw new Error(sent.kind);
  const stop = new AbortController();
  store.onDidChange(() => {
    const job = store.get(sent.jobId);
    if (job?.nodes['3']?.state === 'running' && (job.nodes['3'].value > 0 || job.outputs.length > 0))
      stop.abort(new DOMException('Enough.', 'AbortError'));
  });
  const end = await finishRun(sent.owned, session, asks, stop.signal);
  expect(end).toMatchObject({ kind: 'cancelled', files: [{ file: { nodeId: '2' } }] });
  expect(sent.owned.record).toMatchObject({ state: 'cancelled', files: [{ node: '2' }] });
  await sent.owned.close();
});
