import type { Check, Finding } from './check';
import { absent, expectThat, held } from './check';
import type { LiveServer } from './liveServer';
import { plainPicture, slowPicture } from './prompts';

const noSlowNode = 'no class to keep it busy with';
const tooQuick = 'the slow run had ended before it could be looked at';

/** A queue with work in it: order, cancellation, interruption. Only touches jobs of this suite. */
export const queueChecks: readonly Check[] = [
  {
    name: 'queue shows what runs and what waits, in order',
    run: (server) =>
      whileBusy(server, async (slow) => {
        const second = await server.start(plainPicture());
        const third = await server.start(plainPicture());
        const { running, pending } = await server.client.queue();
        const ids = pending.map(({ id }) => id).filter((id) => id === second || id === third);
        expectThat(
          running.some(({ id }) => id === slow),
          'the running job is not shown as running',
        );
        expectThat(ids.join() === [second, third].join(), `waiting are ${ids.join(' ') || 'none'}`);
        await server.session.tracker.refresh();
        const positions = [second, third].map((id) => server.store.get(id)?.queuePosition);
        const [first = 0, next = 0] = positions;
        expectThat(first > 0 && next > first, `positions are ${positions.join()}`);
        return held();
      }),
  },
  {
    name: 'a waiting job is cancelled',
    run: (server) =>
      whileBusy(server, async (slow) => {
        const waiting = await server.start(plainPicture());
        const result = await server.session.tracker.cancel(waiting);
        expectThat(result === 'cancelled', `the answer is ${result}`);
        expectThat((await server.finished(waiting)).state === 'cancelled', 'it did not end as cancelled');
        const { running, pending } = await server.client.queue();
        expectThat(!pending.some(({ id }) => id === waiting), 'it still waits');
        expectThat(
          running.some(({ id }) => id === slow),
          'the running job was hit too',
        );
        return held();
      }),
  },
  {
    name: 'the running job is cancelled',
    run: (server) =>
      whileBusy(server, async (slow) => {
        const result = await server.session.tracker.cancel(slow);
        expectThat(result === 'cancelled', `the answer is ${result}`);
        const job = await server.finished(slow);
        expectThat(job.state === 'cancelled', `it ended as ${job.state}`);
        return held();
      }),
  },
  {
    name: 'a cancellation hits the job that it names',
    run: (server) =>
      whileBusy(server, async (slow) => {
        const waiting = await server.start(plainPicture());
        await server.client.cancel(slow);
        const [stopped, other] = [await server.finished(slow), await server.finished(waiting)];
        expectThat(stopped.state === 'cancelled', `it ended as ${stopped.state}`);
        expectThat(other.state === 'completed', `the other one ended as ${other.state}`);
        return held();
      }),
  },
  {
    name: 'a job that has ended cannot be cancelled any more',
    async run(server) {
      const { id } = await server.complete(plainPicture());
      const result = await server.client.cancel(id);
      expectThat(result === 'alreadyEnded', `the answer is ${result}`);
      return held();
    },
  },
];

/** Keeps the server busy with our own job during a check. */
async function whileBusy(server: LiveServer, check: (slow: string) => Promise<Finding>): Promise<Finding> {
  const nodes = slowPicture(await server.catalog());
  if (!nodes) return absent(noSlowNode);
  await server.settled();
  const { running, pending } = await server.client.queue();
  if (running.length + pending.length > 0) return absent('others use the server just now');
  const slow = await server.start(nodes);
  try {
    return (await server.running(slow)) ? await check(slow) : absent(tooQuick);
  } finally {
    await server.session.tracker.cancel(slow);
    await server.finished(slow);
  }
}
