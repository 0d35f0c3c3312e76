import { expect, it } from 'vitest';
import { watchedBody } from '../../../src/core/client/watchedBody';

const endpoint = 'GET /api/view';

function watched(body: ReadableStream<Uint8Array>, stall: number, total: number): ReadableStream<Uint8Array> {
  return watchedBody(body, {
    endpoint,
    url: 'http://127.0.0.1:1/api/view',
    controller: new AbortController(),
    stall,
    total,
    done: () => undefined,
  });
}

/** A piece every few milliseconds, forever. */
function dripping(bytes: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      controller.enqueue(new Uint8Array(bytes));
    },
  });
}

it('a body that trickles forever ends at its time limit', async () => {
  const reading = new Response(watched(dripping(1), 5_000, 60)).text();
  await expect(reading).rejects.toMatchObject({ reason: 'timeout', endpoint });
});

it("empty chunks don't count as progress", async () => {
  const reading = new Response(watched(dripping(0), 60, 60_000)).text();
  await expect(reading).rejects.toMatchObject({ reason: 'timeout', endpoint });
});
