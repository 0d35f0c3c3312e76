import type { WebSocket } from 'ws';
import { uint32 } from '../../../src/sandbox/runJob';
import type { FaultController } from './faultController';

type Frame = string | Buffer;

/** One client's socket, with the faults between the server and the wire. */
export class FaultySocket {
  #group: Frame[] = [];
  #groupTimer: NodeJS.Timeout | undefined;
  #framesUntilDrop: number | undefined;
  #dropped = false;
  readonly #send: (frame: Frame) => void;

  constructor(
    private readonly socket: WebSocket,
    private readonly faults: FaultController,
  ) {
    this.#send = socket.send.bind(socket);
    socket.send = (frame: Frame) => this.send(frame);
    const pong = socket.pong.bind(socket);
    socket.pong = (...told: Parameters<WebSocket['pong']>) => {
      if (!faults.look('stallSocket')) pong(...told);
    };
    socket.once('close', () => this.close());
  }

  /** Drops the socket after this many more frames, as a broken network does: without a closing handshake. */
  dropAfter(frames: number): void {
    this.#framesUntilDrop = frames;
    if (frames === 0) this.#drop();
  }

  send(frame: Frame): void {
    if (this.#dropped || this.faults.look('stallSocket')) return;
    for (const extra of this.#strayFrames()) this.#deliver(extra);
    const named = typeof frame === 'string' ? climbingText(frame, this.faults) : frame;
    const copies = this.faults.strike('duplicateEvents') ? [named, named] : [named];
    const order = this.faults.look('reorderEvents');
    if (!order) {
      this.#flush();
      for (const copy of copies) this.#deliver(copy);
      return;
    }
    this.#group.push(...copies);
    if (this.#group.length >= order.group) this.#flush();
    // A group that never fills up must still be sent.
    else this.#groupTimer ??= setTimeout(() => this.#flush(), 20);
  }

  close(): void {
    clearTimeout(this.#groupTimer);
    this.#group = [];
  }

  #flush(): void {
    clearTimeout(this.#groupTimer);
    this.#groupTimer = undefined;
    const group = this.#group.reverse();
    this.#group = [];
    for (const frame of group) this.#deliver(frame);
  }

  #deliver(frame: Frame): void {
    if (this.#dropped || this.socket.readyState !== this.socket.OPEN) return;
    this.#send(frame);
    if (this.#framesUntilDrop !== undefined && --this.#framesUntilDrop <= 0) this.#drop();
  }

  #drop(): void {
    this.#dropped = true;
    this.close();
    // Lets the earlier frames leave the process first; the peer sees the connection break off.
    setImmediate(() => this.socket.terminate());
  }

  #strayFrames(): readonly Frame[] {
    const oversized = this.faults.strike('oversizedFrame');
    return [
      ...(oversized ? [Buffer.concat([uint32(1), uint32(1), Buffer.alloc(oversized.bytes)])] : []),
      ...(this.faults.strike('truncatedFrame') ? truncatedFrames : []),
      ...(this.faults.strike('unknownMessages') ? unknownFrames : []),
    ];
  }
}

/** The same answer or message with names of outputs that leave the output folder, while that fault is on. */
export function climbingText(text: string, faults: FaultController): string {
  const climbing = faults.look('climbingNames');
  if (!climbing) return text;
  return text.replace(/"filename": "(?=[^"]+", "subfolder": ")/g, `"filename": "${climbing.prefix}`);
}

const truncatedFrames: readonly Frame[] = [
  Buffer.alloc(0),
  Buffer.from([0, 0, 0]),
  uint32(4),
  // Claims more metadata and a longer node id than the frame contains.
  Buffer.concat([uint32(4), uint32(4_000_000_000), Buffer.from('{"node_id":')]),
  Buffer.concat([uint32(3), uint32(500), Buffer.from('7')]),
  // Metadata that breaks off.
  Buffer.concat([uint32(4), uint32(9), Buffer.from('{"node_id'), Buffer.from([0xff, 0xd8])]),
];

const unknownFrames: readonly Frame[] = [
  JSON.stringify({ type: 'sandbox.unheard_of', data: { deep: { nested: [1, null, 'text'] } } }),
  JSON.stringify({ type: 'progress_state', data: null }),
  JSON.stringify({ data: { prompt_id: 'nobody' } }),
  JSON.stringify(['no', 'object']),
  'not JSON at all',
  Buffer.concat([uint32(99), Buffer.from('what is this')]),
];
