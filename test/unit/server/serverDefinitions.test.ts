import { describe, expect, it } from 'vitest';

import { ServerError } from '../../../src/core/protocol/serverError';
import {
  type DefinitionsReading,
  serverDefinitionsFrom,
  DefinitionsReader,
} from '../../../src/core/server/serverDefinitions';

const saver = { SaveImage: { input: { required: { images: ['IMAGE'] } }, output: [], output_node: true } };

type Answers = Record<string, object | undefined>;

/** A server with these node types, and what it says of each alone: nothing that it lacks, if not told otherwise. */
function readerOf(
  all: Answers,
  one: (name: string) => string = (name) => JSON.stringify({ [name]: all[name] }),
) {
  const asked: string[] = [];
  const reader = new DefinitionsReader({
    client: {
      objectInfo: () => {
        asked.push('all');
        return Promise.resolve(JSON.stringify(all));
      },
      singleObjectInfo: async (name) => {
        asked.push(name);
        return Promise.resolve(one(name));
      },
      systemStats: () => Promise.resolve({ version: '0.33.0', devices: [] }),
    },
    transport: { request: () => Promise.resolve({ text: '{}' } as never) },
    lifetime: new AbortController().signal,
    now: () => 0,
  });
  return { reader, asked };
}

/** A source whose server answers with the current content of these texts. */
function sourceOf(answer: { definitions: string; replacements: string; version?: string }) {
  const read: DefinitionsReading[] = [];
  const source = new DefinitionsReader({
    client: {
      objectInfo: () => Promise.resolve(answer.definitions),
      singleObjectInfo: () => Promise.resolve(answer.definitions),
      systemStats: () => Promise.resolve({ version: answer.version, devices: [] }),
    },
    transport: { request: () => Promise.resolve({ text: answer.replacements } as never) },
    lifetime: new AbortController().signal,
    now: () => 0,
    onRead: (reading) => read.push(reading),
  });
  return { source, read };
}

describe('the node rules of a server', () => {
  const texts = { definitions: JSON.stringify(saver), replacements: '{}' };

  it('are those of an earlier window if the server returns the same text', async () => {
    const kept = { rules: serverDefinitionsFrom(texts), texts };
    const { source, read } = sourceOf({ ...texts });
    source.keep(kept);
    expect(await source.get()).toBe(kept.rules);
    expect(read.map(({ rules }) => rules)).toEqual([kept.rules]);
  });

  it('stay the same object when nothing has changed', async () => {
    const { source } = sourceOf({ ...texts });
    const first = await source.get();
    expect(await source.fresh(0)).toBe(first);
  });

  it('are others for another version, but with the same definitions', async () => {
    const answer = { ...texts, version: '0.33.0' };
    const { source } = sourceOf(answer);
    const first = await source.get();
    expect(first.version).toBe('0.33.0');
    expect(await source.fresh(0)).toBe(first);
    answer.version = '0.40.1';
    const second = await source.fresh(0);
    expect(second.version).toBe('0.40.1');
    expect(second.catalog).toBe(first.catalog);
  });

  it('are read again from a different text', async () => {
    const answer = { ...texts };
    const { source } = sourceOf(answer);
    source.keep({ rules: serverDefinitionsFrom(texts), texts });
    const first = await source.get();
    answer.definitions = JSON.stringify({ ...saver, PreviewImage: saver.SaveImage });
    const second = await source.fresh(0);
    expect(second.catalog?.classTypes).toEqual(['SaveImage', 'PreviewImage']);
    answer.replacements = '{"Old": []}';
    expect(await source.fresh(0)).not.toBe(second);
    expect(second).not.toBe(first);
  });
});

describe('the definitions of a few node types', () => {
  const image = { input: { required: {} }, output: ['IMAGE'] };
  const old = { ...image, deprecated: true };
  const server = { EmptyImage: image, OldImage: old, ...saver };

  it('are asked for one by one, and known as among all', async () => {
    const { reader, asked } = readerOf(server);
    const few = await reader.single(['EmptyImage', 'SaveImage'], '0.33.0');
    expect(few).toMatchObject({ version: '0.33.0' });
    expect(asked).toEqual(['EmptyImage', 'SaveImage']);
    const all = await reader.get();
    expect(few?.catalog?.get('SaveImage')).toEqual(all.catalog?.get('SaveImage'));
    expect(few?.catalog?.get('EmptyImage')).toEqual(all.catalog?.get('EmptyImage'));
  });

  it.each([
    ['of a server that lists all of them whatever it is asked', () => JSON.stringify(server), true],
    ['but not of a server that says nothing of one alone', () => '{}', false],
    ['but not of a server whose answer is no JSON', () => '<html>', false],
    [
      'but not of a server that answers too late',
      () => {
        throw new ServerError('No answer.', { reason: 'timeout', endpoint: 'GET /api/object_info' });
      },
      false,
    ],
  ])('are known %s', async (_server, one, isKnown) => {
    const { reader } = readerOf(server, one);
    const few = await reader.single(['EmptyImage'], undefined);
    expect(few?.catalog?.has('EmptyImage') ?? false).toBe(isKnown);
  });

  it.each([
    ['one is unknown, as similar ones are suggested', ['EmptyImage', 'SaveImag']],
    ['one is deprecated, as its successor is suggested', ['OldImage']],
  ])('are left to all definitions if %s', async (_why, classTypes) => {
    const { reader } = readerOf(server);
    expect(await reader.single(classTypes, undefined)).toBeUndefined();
  });

  it('are not asked for again once all were read', async () => {
    const { reader, asked } = readerOf(server);
    await reader.get();
    expect(await reader.single(['EmptyImage'], undefined)).toBeUndefined();
    expect(asked).toEqual(['all']);
  });
});
