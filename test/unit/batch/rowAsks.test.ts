import { expect, it } from 'vitest';
import { Transport } from '../../../src/core/client/transport';
import { askedOnce } from '../../../src/core/batch/runRow';
import type { BatchAsks } from '../../../src/core/batch/batchWork';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { RunSession } from '../../../src/core/runLife/runSession';
import { undiciStack } from '../../../src/cli/undiciStack';

const yes = () => Promise.resolve(true);
const asks: BatchAsks = {
  localMedia: () => Promise.resolve(undefined),
  mayUpload: yes,
  maySpend: yes,
  mayMovePaid: yes,
};

it('asks once per batch about runs whose outputs could not be found, and again when it starts anew', async () => {
  const questions: string[] = [];
  const server = { id: 'a', name: 'A', url: 'http://127.0.0.1:1' };
  const transport = new Transport({ baseUrl: server.url, http: undiciStack() });
  const session = new RunSession({ server, transport, store: new JobStore() });
  const once = askedOnce(
    {
      ...asks,
      mayRunUnheard: (reason) => {
        questions.push(reason);
        return Promise.resolve(false);
      },
    },
    () => 2,
  );
  expect(await once.mayRunUnheard?.('It was refused.', session)).toBe(false);
  expect(await once.mayRunUnheard?.('It timed out.', session)).toBe(false);
  expect(questions).toEqual(['It was refused.']);
  once.forget();
  await once.mayRunUnheard?.('It timed out.', session);
  expect(questions).toHaveLength(2);
});

it('leaves the refusal of such runs to those who cannot ask', () => {
  expect(askedOnce(asks, () => 2).mayRunUnheard).toBeUndefined();
});
