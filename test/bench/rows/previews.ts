import { setTimeout as delay } from 'node:timers/promises';
import { parseSocketFrame } from '../../../src/core/protocol/binaryFrame';
import { FramePacer } from '../../../src/host/preview/framePacer';
import { encodePng } from '../../../src/sandbox/drawing/picture';
import { type BenchRow, mb, type Measurement, reachableBytes } from '../measure';

const perSecond = 60;
const seconds = 60;
/** A panel that paints a sixth of the frames, ms. */
const paintTime = 100;
const side = 512;

/** A frame of the socket as the server sends it (protocol 3.6): type 1, format 2 (PNG), picture. */
function frameOf(png: Uint8Array): Uint8Array {
  const frame = Buffer.alloc(8 + png.byteLength);
  frame.writeUInt32BE(1, 0);
  frame.writeUInt32BE(2, 4);
  frame.set(png, 8);
  return frame;
}

/** A picture with enough content for a typical length. */
export function noisyPicture(number: number): Parameters<typeof encodePng>[0] {
  const data = new Uint8Array(side * side * 3);
  for (let at = 0, seed = number + 1; at < data.length; at++) {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    data[at] = 128 + 64 * Math.sin(at / (700 + number * 40)) + (seed >> 25);
  }
  return { width: side, height: side, channels: 3, data };
}

async function minute(): Promise<Measurement> {
  const png = encodePng(noisyPicture(0));
  let inFlight = 0;
  let mostInFlight = 0;
  let painted = 0;
  let lastPainted = -1;
  const pacer = new FramePacer((serial, { image, nodeId }) => {
    mostInFlight = Math.max(mostInFlight, ++inFlight);
    // The panel gets a copy, as with a real message.
    const shown = new Uint8Array(image);
    setTimeout(() => {
      inFlight--;
      painted += shown.byteLength > 0 ? 1 : 0;
      lastPainted = Number(nodeId);
      pacer.painted(serial);
    }, paintTime);
  });
  const held: number[] = [];
  const start = performance.now();
  let offered = 0;
  let nextLook = 5;
  while (offered < perSecond * seconds) {
    const passed = (performance.now() - start) / 1000;
    for (; offered < Math.min(perSecond * seconds, passed * perSecond); offered++) {
      const event = parseSocketFrame(frameOf(png));
      if (event?.type !== 'preview') throw new Error('The frame was not read.');
      const { mime, image } = event;
      pacer.offer({ jobId: 'job', nodeId: String(offered), mime, image });
    }
    if (passed > nextLook) {
      held.push(reachableBytes());
      nextLook += 5;
    }
    await delay(5);
  }
  await delay(3 * paintTime);
  const growth = Math.max(...held) - (held[0] ?? 0);
  const isLatest = lastPainted === offered - 1;
  return {
    what: `preview frames, ${perSecond}/s of ${side} x ${side} PNG for ${seconds} s: memory that grows`,
    bar: '< 1 MB, one in flight',
    value: `${mb(growth)}; ${mostInFlight} in flight; ${painted} of ${offered} painted, the last one ${isLatest ? 'too' : 'NOT'}`,
    held: growth < 2 ** 20 && mostInFlight === 1 && isLatest,
    numbers: { growthBytes: growth, mostInFlight, painted, offered, frameBytes: png.byteLength },
  };
}

export const previews: BenchRow = { name: 'previews', measure: async () => [await minute()] };
