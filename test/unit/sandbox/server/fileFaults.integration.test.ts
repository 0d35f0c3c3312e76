import { expect, it } from 'vitest';
import { ask, Listener, sandboxForTest, submit } from '../../../support/sandboxFixture';
import { onePixelPng, stepsPrompt, testNodes } from '../../../support/sandboxTestNodes';

const file = { filename: 'a.png', subfolder: '', type: 'output' } as const;
const view = '/api/view?filename=a.png&type=output';

/** Reports the size of every piece as it arrives. */
async function readAll(response: Response, onPiece: (bytes: number) => void): Promise<void> {
  const reader = response.body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (piece?.value === undefined) return;
    onPiece(piece.value.byteLength);
  }
}

it('hugeFile declares its size and streams that many bytes', async () => {
  const { url, faults, files } = await sandboxForTest({ dialect: 'local' });
  files.write(file, onePixelPng());
  faults.set('hugeFile', { bytes: 5_000_001 });
  const whole = await fetch(`${url}${view}`);
  expect(whole.headers.get('content-length')).toBe('5000001');
  const bytes = new Uint8Array(await whole.arrayBuffer());
  expect(bytes.byteLength).toBe(5_000_001);
  const part = await fetch(`${url}${view}`, { headers: { Range: 'bytes=4000000-' } });
  expect(part.status).toBe(206);
  const rest = new Uint8Array(await part.arrayBuffer());
  expect(Buffer.from(rest).equals(bytes.subarray(4_000_000))).toBe(true);
});

it('slowFile sends the same bytes in small pieces', async () => {
  const { url, faults, files } = await sandboxForTest({ dialect: 'local' });
  files.write(file, new Uint8Array(1_000).fill(7));
  faults.set('slowFile', { chunkBytes: 100, pauseMs: 5, times: 1 });
  const response = await fetch(`${url}${view}`);
  const sizes: number[] = [];
  await readAll(response, (bytes) => sizes.push(bytes));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_000);
  expect(sizes.length).toBeGreaterThan(3);
});

it('brokenDownload cuts off after so many bytes, and a range request gets the rest', async () => {
  const { url, faults, files } = await sandboxForTest({ dialect: 'local' });
  files.write(file, new Uint8Array(1_000).fill(7));
  faults.set('brokenDownload', { afterBytes: 300, times: 1 });
  const response = await fetch(`${url}${view}`);
  let read = 0;
  const reading = readAll(response, (bytes) => (read += bytes));
  await expect(reading).rejects.toThrow();
  expect(read).toBe(300);
  const rest = await fetch(`${url}${view}`, { headers: { Range: 'bytes=300-' } });
  expect(rest.status).toBe(206);
  expect((await rest.arrayBuffer()).byteLength).toBe(700);
});

it('expiredAddress signs expired addresses', async () => {
  const { url, faults, files } = await sandboxForTest();
  files.write(file, onePixelPng());
  faults.set('expiredAddress', { times: 1 });
  const expired = await ask(`${url}${view}`);
  const refused = await ask(expired.headers.get('location') ?? '');
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('ExpiredToken');
  const again = await ask(`${url}${view}`);
  expect((await fetch(again.headers.get('location') ?? '')).status).toBe(200);
});

it.each(['cloud', 'local'] as const)(
  'climbingNames gives outputs a name that leaves the folder, and sends the file (%s)',
  async (dialect) => {
    const { url, faults } = await sandboxForTest({ dialect, nodes: testNodes });
    const events = await Listener.open(url, 'clientId=a');
    faults.set('climbingNames', { prefix: '../../' });
    const id = await submit(url, stepsPrompt(1), { client_id: 'a' });
    await events.untilEnded(id);
    const [executed] = events.of('executed');
    const images = (executed?.data['output'] as { images: { filename: string }[] }).images;
    const name = images[0]?.filename ?? '';
    expect(name).toMatch(/^\.\.\/\.\.\//);
    const job = await ask(`${url}/api/jobs/${id}`);
    expect(job.json['outputs']).toMatchObject({ '2': { images: [{ filename: name }] } });
    const answer = await fetch(`${url}/api/view?filename=${encodeURIComponent(name)}&type=output`);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(onePixelPng())).toBe(true);
  },
);
