import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainPrompt, promptText } from './definitions';
import { keep, prepare, preparedOf } from './preparedTexts';

describe('prepareRun cuts the prompt from the text', () => {
  it('byte for byte, with every digit and the order of the keys', () => {
    const text =
      '\n {"10": {"class_type":"Noise","inputs":{"seed":18446744073709551615,"x":1.50,"y":1e400}},\n' +
      '  "2": {"_meta":{"title":"\\u00e4"}, "inputs":{"images":["10",0],"filename_prefix":"x"},"class_type":"SaveImage"}}\n ';
    const run = preparedOf(text);
    expect(run.promptText).toBe(text.trim());
    expect(run.origin.seeds).toEqual({ '10.seed': '18446744073709551615' });
    expect(run.origin.nodeNames).toEqual({ '10': 'Noise', '2': 'ä' });
    expect(run.origin.sourceHash).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('out of any wrapper, without sending the wrapper', () => {
    const inner = JSON.stringify(plainPrompt);
    for (const text of [
      `{"client_id":"c","prompt":${inner},"extra_data":{"api_key_comfy_org":"test-key"}}`,
      `{"output":${inner},"workflow":{}}`,
      `{"input":{"workflow":${inner}}}`,
    ]) {
      expect(preparedOf(text).promptText).toBe(inner);
    }
  });

  it('without metadata that another tool left beside the nodes', () => {
    const text = promptText({ _meta: { tool: 'x' } });
    const run = preparedOf(text);
    expect(JSON.parse(run.promptText)).toEqual(plainPrompt);
    expect(run.origin.nodeNames).toEqual({ 1: 'EmptyImage', 2: 'Keep' });
  });

  it('bare NaN included, as the server reads it', () => {
    const text = promptText({
      1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, odd: 0 } },
    }).replace('"odd": 0', '"odd": NaN');
    expect(preparedOf(text).promptText).toBe(text);
  });

  it('with a title added only to nodes that the server may replace', () => {
    const text = promptText({ 1: { class_type: 'OldImage', inputs: {} } });
    const run = preparedOf(text, { ...keep, force: true });
    const sent: unknown = JSON.parse(run.promptText);
    expect(sent).toMatchObject({ 1: { _meta: { title: 'OldImage' } }, 2: { _meta: { title: 'Keep' } } });
    expect(preparedOf(promptText()).promptText).toBe(promptText());
  });

  it('for any prompt: what is posted equals what the file says', () => {
    const value = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null));
    const node = fc.record({
      class_type: fc.string(),
      inputs: fc.dictionary(fc.string(), value),
    });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), node, { minKeys: 1 }), (prompt) => {
        // Cut out of a wrapper with other members before and after.
        const inner = JSON.stringify(prompt);
        const run = prepare(`{"client_id": "a", "prompt": ${inner}, "front": true}`, { seeds: 'keep' });
        expect(run.kind === 'prepared' && run.promptText).toBe(inner);
      }),
    );
  });
});

describe('prepareRun and seeds', () => {
  const text = promptText({
    1: { class_type: 'Noise', inputs: { seed: 5 } },
    2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: '5' } },
  });

  it('keeps and records the seeds of the file', () => {
    expect(preparedOf(text).origin.seeds).toEqual({ '1.seed': '5' });
  });

  it('draws new ones, changes nothing else and records what was sent', () => {
    const run = preparedOf(text, { ...keep, seeds: 'new', randomSeed: (_min, max) => max });
    expect(run.origin.seeds).toEqual({ '1.seed': '9007199254740991' });
    expect(run.promptText).toBe(text.replace('"seed": 5', '"seed": 9007199254740991'));
  });

  it('draws within the limits, and not the same seed twice', () => {
    const drawn = Array.from(
      { length: 20 },
      () => preparedOf(text, { ...keep, seeds: 'new' }).origin.seeds['1.seed'],
    );
    expect(new Set(drawn).size).toBeGreaterThan(15);
  });
});

describe('prepareRun and what else a run needs', () => {
  it('lists media files of the input folder, and whether the server has them', () => {
    const image = (name: string): object => ({ class_type: 'LoadImage', inputs: { image: name } });
    const run = preparedOf(
      promptText({ 5: image('known.png'), 6: image('mine.png'), 7: image('earlier.png [output]') }),
    );
    expect(run.media.map(({ nodeId, fileName, listed }) => [nodeId, fileName, listed])).toEqual([
      ['5', 'known.png', true],
      ['6', 'mine.png', false],
    ]);
  });

  it('does not report a media file missing from the list: it may be uploaded', () => {
    const text = promptText({
      1: { class_type: 'LoadImage', inputs: { image: 'mine.png' } },
    });
    expect(preparedOf(text).findings).toEqual([]);
  });

  it('lists partner nodes', () => {
    const text = promptText({
      1: { class_type: 'PartnerImage', inputs: { prompt: 'x' }, _meta: { title: 'Paid' } },
    });
    expect(preparedOf(text).partnerNodes).toEqual([
      { nodeId: '1', classType: 'PartnerImage', title: 'Paid' },
    ]);
    expect(preparedOf(promptText()).partnerNodes).toEqual([]);
  });

  it('says when only the structure was checked', () => {
    expect(preparedOf(promptText(), { seeds: 'keep' }).checked).toBe(false);
    expect(preparedOf(promptText()).checked).toBe(true);
  });

  it('warns of a branch that the server will leave out', () => {
    const run = preparedOf(promptText({ 3: { class_type: 'SaveImage', inputs: { filename_prefix: 'x' } } }));
    expect(run.findings.map(({ code, severity, nodeId }) => [code, severity, nodeId])).toEqual([
      ['missing-input', 'warning', '3'],
    ]);
    expect(run.findings[0]?.message).toContain('skips the outputs that depend on it');
  });
});
