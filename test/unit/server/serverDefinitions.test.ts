import { describe, expect, it } from 'vitest';

import {
  type DefinitionsReading,
  serverDefinitionsFrom,
  DefinitionsReader,
} from '../../../src/core/server/serverDefinitions';

const saver = { SaveImage: { input: { required: { images: ['IMAGE'] } }, output: [], output_node: true } };

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
