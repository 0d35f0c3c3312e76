import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSocketFrame } from '../../../src/core/protocol/binaryFrame';

const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 1, 2, 3);
const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a);
const promptId = '3e858071-5043-4b75-be8e-9037847afc3b';

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function frame(...parts: readonly (Uint8Array | string | number)[]): Uint8Array {
  const bytes = parts.map((part) =>
    typeof part === 'number' ? u32(part) : typeof part === 'string' ? new TextEncoder().encode(part) : part,
  );
  return new Uint8Array(Buffer.concat(bytes));
}

function length(text: string): number {
  return new TextEncoder().encode(text).length;
}

describe('preview without ids (type 1)', () => {
  it('detects the format from the picture itself', () => {
    expect(parseSocketFrame(frame(1, 2, jpeg))).toEqual({ type: 'preview', mime: 'image/jpeg', image: jpeg });
    expect(parseSocketFrame(frame(1, 1, png))).toEqual({ type: 'preview', mime: 'image/png', image: png });
  });

  it('falls back to the format of the frame', () => {
    const image = Uint8Array.of(1, 2, 3);
    expect(parseSocketFrame(frame(1, 1, image))).toMatchObject({ mime: 'image/jpeg' });
    expect(parseSocketFrame(frame(1, 2, image))).toMatchObject({ mime: 'image/png' });
    expect(parseSocketFrame(frame(1, 9, image))).toBeUndefined();
    expect(parseSocketFrame(frame(1, 1))).toBeUndefined();
  });
});

describe('frames of a server that puts a format code after every type', () => {
  const read = (bytes: Uint8Array) => parseSocketFrame(bytes, undefined, 'formatCode');

  it('are texts from the first character on', () => {
    for (const text of ['Sampling 50%', '1 of 4 steps', ''])
      expect(read(frame(3, 1, text))).toEqual({ type: 'progressText', nodeId: '', text });
  });

  it('are pictures in the format of the code, even if their bytes say nothing', () => {
    const image = Uint8Array.of(1, 2, 3);
    for (const type of [1, 4]) {
      expect(read(frame(type, 1, image))).toEqual({ type: 'preview', mime: 'image/jpeg', image });
      expect(read(frame(type, 2, image))).toEqual({ type: 'preview', mime: 'image/png', image });
    }
  });
});

describe('frames of a server that may do either', () => {
  const read = (bytes: Uint8Array) => parseSocketFrame(bytes, undefined, 'either');

  it('keep both readings of a text', () => {
    const text = '1 of 4 steps';
    expect(read(frame(3, 1, text))).toEqual({
      type: 'progressText',
      nodeId: '1',
      text: ' of 4 steps',
      whole: text,
    });
    expect(read(frame(3, 99, text))).toEqual({ type: 'progressText', nodeId: '', text });
  });

  it('are pictures with metadata, or with a format code', () => {
    const json = JSON.stringify({ node_id: '3', prompt_id: promptId });
    expect(read(frame(4, length(json), json, jpeg))).toMatchObject({ nodeId: '3', mime: 'image/jpeg' });
    expect(read(frame(4, 1, Uint8Array.of(1)))).toMatchObject({ type: 'preview', mime: 'image/jpeg' });
  });
});

describe('text of a node (type 3)', () => {
  it('reads node ID and text in any language', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (nodeId, text) => {
        fc.pre(!/^[0-9a-f-]{36}$/i.test(nodeId));
        const event = parseSocketFrame(frame(3, length(nodeId), nodeId, text));
        expect(event).toEqual({ type: 'progressText', nodeId, text });
      }),
    );
  });

  it('reads the layout with a prompt id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (nodeId, text) => {
        const bytes = frame(3, length(promptId), promptId, length(nodeId), nodeId, text);
        expect(parseSocketFrame(bytes)).toEqual({ type: 'progressText', promptId, nodeId, text });
      }),
    );
  });

  it('keeps a node id that merely looks like a prompt id', () => {
    const event = parseSocketFrame(frame(3, length(promptId), promptId, 'step 1 of 20'));
    expect(event).toEqual({ type: 'progressText', nodeId: promptId, text: 'step 1 of 20' });
  });
});

describe('preview with ids (type 4)', () => {
  const metadata = { node_id: '12.0.0.3', prompt_id: promptId, display_node_id: '12', parent_node_id: null };

  it('round-trips', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1 }),
        fc.constantFrom('image/jpeg', 'image/png'),
        (bytes, mime) => {
          fc.pre(!(bytes[0] === 0xff && bytes[1] === 0xd8) && bytes[0] !== 0x89);
          const json = JSON.stringify({ ...metadata, image_type: mime });
          const event = parseSocketFrame(frame(4, length(json), json, bytes));
          expect(event).toEqual({
            type: 'preview',
            promptId,
            nodeId: '12.0.0.3',
            displayNodeId: '12',
            mime,
            image: bytes,
          });
        },
      ),
    );
  });

  it('detects the format from the picture when it is not given', () => {
    const json = JSON.stringify(metadata);
    expect(parseSocketFrame(frame(4, length(json), json, png))).toMatchObject({ mime: 'image/png' });
    expect(parseSocketFrame(frame(4, length(json), json, Uint8Array.of(1, 2)))).toBeUndefined();
  });
});

describe('frames to drop', () => {
  it('drops what is too short, points past its end or is not UTF-8', () => {
    const bad = [
      new Uint8Array(),
      frame(1),
      frame(3, 100, 'abc'),
      frame(3, 2, Uint8Array.of(0xc3, 0x28), 'x'),
      frame(4, 0xffffffff, '{}'),
      frame(4, 3, 'no!', jpeg),
      frame(2, 1, jpeg),
      frame(77, 1, jpeg),
    ];
    for (const bytes of bad) expect(parseSocketFrame(bytes)).toBeUndefined();
  });

  it('never throws, whatever the bytes', () => {
    const shaped = fc
      .tuple(fc.integer({ min: 0, max: 5 }), fc.nat(60), fc.uint8Array({ maxLength: 80 }))
      .map(([type, second, rest]) => frame(type, second, rest));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), shaped), (bytes) => {
        expect(() => parseSocketFrame(bytes)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});

it('reads JSON in a binary frame as if it were text', () => {
  const text = JSON.stringify({ type: 'executing', data: { node: null, prompt_id: promptId } });
  expect(parseSocketFrame(frame(text))).toEqual({ type: 'executing', nodeId: null, promptId });
});

it('reads a frame in the middle of a larger buffer', () => {
  const whole = frame(9, 9, 1, 1, jpeg, 9);
  expect(parseSocketFrame(whole.subarray(8, 8 + 8 + jpeg.length))).toMatchObject({ image: jpeg });
});
