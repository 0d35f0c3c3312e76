import { expect, it } from 'vitest';
import { ask, Listener, sandboxForTest, submit } from '../../../support/sandboxFixture';
import { stepsPrompt, testNodes } from '../../../support/sandboxTestNodes';

it("runs a prompt and sends events to its submitter in the real server's order", async () => {
  const { url } = await sandboxForTest({ dialect: 'local', nodes: testNodes });
  const events = await Listener.open(url, 'clientId=one', { supports_preview_metadata: true });
  const id = await submit(url, stepsPrompt(1), { client_id: 'one' });
  await events.untilEnded(id);
  const told = events.types().filter((type) => type !== 'progress_state');
  expect(told).toEqual([
    'status',
    'feature_flags',
    'status',
    'status',
    'execution_start',
    'execution_cached',
    'executing',
    'progress',
    'executing',
    'executed',
    'execution_success',
    'status',
    'executing',
  ]);
  const job = await ask(`${url}/api/jobs/${id}`);
  expect(job.json).toMatchObject({ id, status: 'completed', outputs_count: 1 });
  const history = await ask(`${url}/history/${id}`);
  expect(history.json).toHaveProperty(id);
});
