import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BadAudioChunk,
  decodeBase64,
  musicWords,
  readMusicEvent,
} from '../../../src/core/protocol/musicEvent';
import {
  musicDurationProblem,
  musicPromptProblem,
  musicPromptLength,
} from '../../../src/core/protocol/musicLimits';
import { promptLength as shownLength } from '../../../src/webview/music/words';

describe('strict base64', () => {
  it('decodes every byte sequence, with and without padding, with whitespace anywhere', () => {
    const given = fc.tuple(
      fc.uint8Array({ maxLength: 40 }),
      fc.nat(60),
      fc.constantFrom(' ', '\n', '\r\n\t'),
    );
    fc.assert(
      fc.property(given, ([bytes, place, space]) => {
        const text = Buffer.from(bytes).toString('base64');
        const spaced = text.slice(0, place) + space + text.slice(place);
        for (const way of [text, text.replace(/=+$/, ''), spaced])
          expect(Buffer.from(decodeBase64(way) ?? [1]).equals(Buffer.from(bytes))).toBe(true);
      }),
    );
  });

  it.each(['AAA*', 'A', 'AAAAA', 'AA-_', 'AAAA=', '=AAA', 'AA=A', 'AAA==', 'ÄAAA', 'AA\u00a0AA'])(
    'rejects %j',
    (text) => {
      expect(decodeBase64(text)).toBeUndefined();
    },
  );
});

describe('events of the music stream', () => {
  it('reads a title with all its fields', () => {
    const event = {
      type: 'title',
      title: 'Slow Tide',
      display_tags: ['calm', '72 BPM'],
      stream_index: 2,
      prompt_index: 0,
      copy_index: 1,
      summary: 'Waves.',
      some_new_field: {},
    };
    expect(readMusicEvent(event)).toEqual({
      type: 'title',
      title: 'Slow Tide',
      displayTags: ['calm', '72 BPM'],
      streamIndex: 2,
      promptIndex: 0,
      copyIndex: 1,
      summary: 'Waves.',
    });
  });

  it('uses what it can of a title whose fields have the wrong type', () => {
    const event = {
      type: 'title',
      title: null,
      display_tags: [1, ' warm\u202e\n', 'warm', ''],
      stream_index: '0',
    };
    expect(readMusicEvent(event)).toMatchObject({ type: 'title', streamIndex: 0, displayTags: ['warm'] });
    expect(readMusicEvent({ type: 'title', display_tags: 'none' })).toMatchObject({ displayTags: undefined });
  });

  it('uses the first of several titles', () => {
    expect(readMusicEvent({ type: 'titles', titles: ['One', 'Two'] })).toMatchObject({
      type: 'title',
      title: 'One',
    });
    expect(readMusicEvent({ type: 'titles', titles: [] })).toBeUndefined();
  });

  it('limits what a server sends', () => {
    const event = readMusicEvent({
      type: 'title',
      title: 'x'.repeat(9999),
      display_tags: Array(99).fill(0).map(String),
    });
    expect(event).toMatchObject({ title: 'x'.repeat(300), displayTags: ['0'] });
    const pairs = readMusicEvent({
      type: 'title',
      title: '🎵'.repeat(400),
      display_tags: ['a🎵'.repeat(50)],
    });
    expect(pairs).toMatchObject({ title: '🎵'.repeat(300), displayTags: ['a🎵'.repeat(30)] });
  });

  it('reads only what it needs of a line, and no more of that than it may keep', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field ${index}`, 'x']));
    const tags = Array.from({ length: 10_000 }, (_, index) => `tag ${index}`);
    const words = musicWords({
      ...many,
      type: 'title',
      title: 'x'.repeat(1_000_000),
      display_tags: tags,
      stream_index: { not: ['an', 'index'] },
    });
    expect(Object.keys(words).sort()).toEqual(['display_tags', 'stream_index', 'title', 'type']);
    expect(JSON.stringify(words).length).toBeLessThan(50_000);
    expect(readMusicEvent(words)).toMatchObject({ type: 'title', title: 'x'.repeat(300), streamIndex: 0 });
    expect(() => readMusicEvent(musicWords({ type: 'audio_chunk', stream_index: {}, data: 'AAAA' }))).toThrow(
      BadAudioChunk,
    );
  });

  it.each([
    [
      { type: 'audio_chunk', data: 'AQID', num_streams: 2 },
      { type: 'audioChunk', streamIndex: 0, streams: 2, bytes: Buffer.from([1, 2, 3]) },
    ],
    [{ type: 'cost', billing_after_discount: 0.075 }, { afterDiscount: '0.075' }],
    [{ type: 'complete' }, { type: 'complete' }],
    [
      { type: 'error', code: 'x', message: 'No' },
      { type: 'error', code: 'x', message: 'No' },
    ],
    [{ type: 'error' }, { type: 'error', message: '' }],
  ])('reads %j', (event, read) => {
    expect(readMusicEvent(event)).toMatchObject(read);
  });

  it('ignores other types', () => {
    for (const type of ['stage_start', 'heartbeat', 7, null, undefined])
      expect(readMusicEvent({ type })).toBeUndefined();
  });

  it.each([
    {},
    { data: 7 },
    { data: 'AA*A' },
    { data: 'AAAA', stream_index: -1 },
    { data: 'AAAA', stream_index: 'a' },
  ])('rejects the audio chunk %j instead of leaving a gap', (fields) => {
    expect(() => readMusicEvent({ type: 'audio_chunk', ...fields })).toThrow(BadAudioChunk);
  });
});

describe('limits and price', () => {
  it('accepts 1 to 1000 characters, and counts a surrogate pair as one', () => {
    expect(musicPromptProblem(' \n ')).toBe('Describe the music first.');
    expect(musicPromptProblem('a')).toBeUndefined();
    expect(musicPromptProblem('🎵'.repeat(1000))).toBeUndefined();
    expect(musicPromptProblem('🎵'.repeat(1001))).toMatch(/exceeds the limit of 1000 characters by 1\./);
  });

  it('counts a line break as two, as a form sends it', async () => {
    for (const text of ['a\nb', 'a\r\nb', 'a\rb']) {
      const form = new FormData();
      form.append('prompt', text);
      expect(await new Response(form).text()).toContain('\r\n\r\na\r\nb\r\n');
      expect(musicPromptLength(text)).toBe(4);
    }
    expect(musicPromptProblem(`${'a'.repeat(998)}\n`)).toBeUndefined();
    expect(musicPromptProblem(`${'a'.repeat(998)}\nb`)).toMatch(
      /exceeds the limit of 1000 characters by 1\./,
    );
  });

  it('counts in the panel as it does before sending', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\r', '\n', '🎵', '\ud83c', 'é') }), (text) => {
        expect(shownLength(text)).toBe(musicPromptLength(text));
      }),
    );
  });

  it('accepts whole seconds from 1 to 360', () => {
    for (const seconds of [1, 30, 360]) expect(musicDurationProblem(seconds)).toBeUndefined();
    for (const seconds of [0, 361, 1.5, NaN, Infinity, -3])
      expect(musicDurationProblem(seconds)).toMatch(/1 to 360/);
  });
});
