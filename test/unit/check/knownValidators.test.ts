import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { check, lines } from './checkTexts';

const catalog = Catalog.fromDefinitions({
  VHS_LoadImages: {
    input: {
      required: { directory: [['listed']] },
      optional: { image_load_cap: ['INT', { default: 0, min: 0 }] },
    },
    output: ['IMAGE'],
    python_module: 'custom_nodes.comfyui-videohelpersuite',
  },
  VHS_LoadAudioUpload: { input: { required: { audio: [['listed.mp3']] } }, output: ['AUDIO'] },
  VHS_LoadVideoFFmpeg: {
    input: { required: { video: [['listed.mp4']], format: [['None', 'Wan']] } },
    output: ['IMAGE'],
  },
  'LoadText|pysssss': {
    input: { required: { root_dir: [['input']], file: [['[none]']] } },
    output: ['STRING'],
  },
  'LoraLoader|pysssss': {
    input: { required: { lora_name: [['a.safetensors', 'b.safetensors']] } },
    output: ['MODEL'],
  },
  Sink: { input: { required: { any: ['*'] } }, output: [], output_node: true },
});

function node(class_type: string, inputs: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    '1': { class_type, inputs },
    '2': { class_type: 'Sink', inputs: { any: ['1', 0] } },
  });
}

describe('node types that validate their inputs', () => {
  it.each([
    ['VHS_LoadImages', { directory: 'shots/one', image_load_cap: -1 }],
    ['VHS_LoadAudioUpload', { audio: 'fresh.mp3' }],
    ['VHS_LoadVideoFFmpeg', { video: 'new/fresh.mp4', format: 'None' }],
    ['LoadText|pysssss', { root_dir: 'input', file: 'notes.txt' }],
  ])('take values that are not in the list: %s', (classType, inputs) => {
    const text = node(classType, inputs);
    expect(lines(text, { catalog })).toEqual([]);
    expect(check(text, { catalog }).verdict?.valid).toBe(true);
  });

  it('leave their other inputs to the server', () => {
    const text = node('VHS_LoadVideoFFmpeg', { video: 'fresh.mp4', format: 'Gone' });
    expect(lines(text, { catalog })).toEqual(['error option-unknown "Gone"']);
  });
});

describe('an option with its picture', () => {
  it('is changed to the option', () => {
    const saved = { content: 'b.safetensors', image: 'loras/b.png', title: 'b' };
    const text = node('LoraLoader|pysssss', { lora_name: saved });
    const [finding] = check(text, { catalog }).findings;
    expect(finding).toMatchObject({ code: 'option-unknown', fix: { texts: ['"b.safetensors"'] } });
    expect(finding?.message).toContain('Use "b.safetensors".');
    const unknown = node('LoraLoader|pysssss', { lora_name: { content: 'c.safetensors' } });
    expect(check(unknown, { catalog }).findings[0]?.fix).toBeUndefined();
  });
});
