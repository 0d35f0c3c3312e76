import { describe, expect, it } from 'vitest';
import { FramePacer, type PreviewFrame } from '../../../../src/host/preview/framePacer';

function frame(name: number): PreviewFrame {
  return { jobId: 'job', mime: 'image/jpeg', image: Uint8Array.of(name) };
}

function pacer(): { pacer: FramePacer; posted: { serial: number; name: number | undefined }[] } {
  const posted: { serial: number; name: number | undefined }[] = [];
  return { pacer: new FramePacer((serial, { image }) => posted.push({ serial, name: image[0] })), posted };
}

describe('frame pacing', () => {
  it('holds back frames while one is in flight, then sends only the newest', () => {
    const { pacer: paced, posted } = pacer();
    for (const name of [1, 2, 3, 4]) paced.offer(frame(name));
    expect(posted.map(({ name }) => name)).toEqual([1]);
    paced.painted(1);
    expect(posted.map(({ name }) => name)).toEqual([1, 4]);
    paced.painted(2);
    expect(posted).toHaveLength(2);
  });

  it('ignores an acknowledgement of a frame that is not in flight', () => {
    const { pacer: paced, posted } = pacer();
    paced.offer(frame(1));
    paced.offer(frame(2));
    paced.painted(7);
    expect(posted.map(({ name }) => name)).toEqual([1]);
  });

  it('starts over after the panel reloads, without waiting for a lost acknowledgement', () => {
    const { pacer: paced, posted } = pacer();
    paced.offer(frame(1));
    paced.offer(frame(2));
    paced.reset();
    paced.offer(frame(3));
    expect(posted.map(({ name }) => name)).toEqual([1, 3]);
    paced.painted(1);
    expect(posted).toHaveLength(2);
  });
});
