import { describe, expect, it } from 'vitest';
import { musicMessages } from '../../../../src/webview/contract/music';
import { readMusic } from '../../../../src/host/music/track';
import { peakCount } from '../../../../src/webview/contract/constants';

describe('messages of the music panel', () => {
  it('pass if they match the contract, without extra members', () => {
    const generate = { type: 'generate', prompt: 'calm', seconds: 30 };
    expect(musicMessages.parse({ ...generate, more: 1 })).toEqual(generate);
    expect(musicMessages.parse({ type: 'track', action: 'delete', id: 'a' })).toEqual({
      type: 'track',
      action: 'delete',
      id: 'a',
    });
    const peaks = Array.from({ length: peakCount }, () => 0.5);
    expect(musicMessages.parse({ type: 'peaks', id: 'a', peaks })).toEqual({ type: 'peaks', id: 'a', peaks });
    for (const type of ['ready', 'cancel', 'keep', 'dismiss', 'signIn', 'selectService', 'undo'])
      expect(musicMessages.parse({ type })).toEqual({ type });
  });

  it.each([
    undefined,
    'ready',
    { type: 'unknown' },
    { type: 'generate', prompt: 7, seconds: 30 },
    { type: 'generate', prompt: 'calm', seconds: '30' },
    { type: 'track', action: 'format', id: 'a' },
    { type: 'track', action: 'delete' },
    { type: 'peaks', id: 'a', peaks: [1] },
    { type: 'peaks', id: 'a', peaks: Array.from({ length: peakCount }, () => 2) },
  ])("are dropped if they don't: %j", (message) => {
    expect(musicMessages.safeParse(message).data).toBeUndefined();
  });
});

describe('the stored history', () => {
  const track = {
    id: 'a',
    title: 'Slow Tide',
    tags: ['calm'],
    prompt: 'calm',
    asked: 30,
    createdAt: 1,
    partial: false,
    fileName: 'a.m4a',
    uri: 'file:///w/a.m4a',
  };

  it('is read back, with deletions that can still be undone', () => {
    expect(readMusic(JSON.stringify({ tracks: [track], deleted: { ...track, id: 'b' } }))).toEqual({
      tracks: [track],
      deleted: { ...track, id: 'b' },
      left: [],
      removed: [],
    });
  });

  it('lists what was started but not finished', () => {
    const sent = { prompt: 'calm', seconds: 30, charges: false, server: 'https://music.test', startedAt: 1 };
    const begun = { ...sent, recording: 'recording-a.json' };
    expect(readMusic(JSON.stringify({ begun })).begun).toEqual(begun);
    for (const damaged of [7, null, sent, { ...begun, recording: '../recording-a.json' }])
      expect(readMusic(JSON.stringify({ begun: damaged })).begun).toBeUndefined();
  });

  it('is shorter or empty when damaged', () => {
    for (const text of [undefined, '', 'null', '[]', '{"tracks":7}'])
      expect(readMusic(text)).toEqual({ tracks: [], left: [], removed: [] });
    const stored = {
      tracks: [{ ...track, uri: 'no address' }, { id: 'b' }, null, { ...track, peaks: [1, 'x'], record: 7 }],
    };
    expect(readMusic(JSON.stringify(stored)).tracks).toEqual([track]);
  });
});
