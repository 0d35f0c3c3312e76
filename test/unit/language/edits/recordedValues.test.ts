import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../../src/core/catalog/catalog';
import { applyEdits } from '../../../../src/core/json/textEdit';
import { recordedEdits, type RecordedValues } from '../../../../src/core/language/edits/recordedValues';
import { promptFromText } from '../../../../src/core/workflow/prompt';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';

const largest = '18446744073709551615';

const earlier = `{
  "3": {"class_type": "KSampler", "inputs": {"seed": ${largest}, "cfg": 8.0, "latent": ["5", 0]}},
  "6": {"class_type": "CLIPTextEncode", "inputs": {"text": "a red fox"}}
}`;

const everything: RecordedValues = { prompt: promptFromText(earlier), isWanted: () => true };
const seedOnly = {
  ...everything,
  isWanted: (node: string, input: string) => `${node}.${input}` === '3.seed',
};

const definitions = Catalog.fromDefinitions({
  KSampler: {
    input: {
      required: {
        seed: ['INT', { default: 0, max: 18446744073709551615n, control_after_generate: true }],
        cfg: ['FLOAT', { default: 8 }],
        latent: ['LATENT'],
      },
    },
    output: ['LATENT'],
    output_node: true,
  },
  CLIPTextEncode: {
    input: { required: { text: ['STRING', { multiline: true }] } },
    output: ['CONDITIONING'],
  },
});

function used(
  text: string,
  values = everything,
  catalog?: Catalog,
): { text: string; left: readonly string[] } {
  const found = recordedEdits(WorkflowDocument.of(text), values, catalog);
  if (found.kind !== 'edits') throw new Error(found.kind);
  return { text: applyEdits(text, found.edits), left: found.left };
}

describe('the values of an earlier run in a prompt file', () => {
  const now = `{
  "3": {"class_type": "KSampler", "inputs": { "seed" : 1, "cfg": 8, "latent": ["5", 0]}},
  "6": {"class_type": "CLIPTextEncode", "inputs": {"text": "a car"}}
}`;

  it('replace only the values, with every digit', () => {
    expect(used(now)).toEqual({
      text: now.replace('1, "cfg": 8', `${largest}, "cfg": 8.0`).replace('a car', 'a red fox'),
      left: [],
    });
  });

  it('can be the seed alone', () => {
    expect(used(now, seedOnly).text).toBe(now.replace(': 1,', `: ${largest},`));
  });

  it('change nothing if they are there already', () => {
    const found = recordedEdits(WorkflowDocument.of(earlier), everything, undefined);
    expect(found).toEqual({ kind: 'edits', edits: [], left: [] });
  });

  it.each<[string, string, readonly string[]]>([
    ['a node that is gone', now.replace('"3":', '"4":'), ['KSampler (3) is not in the file.']],
    ['another type', now.replace('CLIPTextEncode', 'Note'), ['CLIPTextEncode (6) is now Note.']],
    [
      'an input that is gone',
      now.replace('"text"', '"words"'),
      ['CLIPTextEncode (6), text is not in the file.'],
    ],
    [
      'a value that is now connected',
      now.replace('"a car"', '["9", 0]'),
      ['CLIPTextEncode (6), text is now linked to node 9.'],
    ],
  ])('leave out %s, and say so', (_, text, left) => {
    expect(used(text).left).toEqual(left);
  });
});

describe('the values of an earlier run in a graph', () => {
  const graph = JSON.stringify(
    {
      nodes: [
        {
          ...{ id: 3, type: 'KSampler', inputs: [], widgets_values: [1, 'randomize', 8] },
          widgets_values_named: { seed: 1, cfg: 8 },
        },
        { id: 6, type: 'CLIPTextEncode', inputs: [], widgets_values: ['a car'] },
      ],
      links: [],
      version: 0.4,
    },
    null,
    2,
  );

  it('replace the widgets in the file, with every digit', () => {
    const { text, left } = used(graph, everything, definitions);
    expect(left).toEqual([]);
    const listed = graph.replace(/1,(\s+"randomize",\s+)8/, `${largest},$18.0`).replace('a car', 'a red fox');
    expect(text).toBe(listed.replace('"seed": 1', `"seed": ${largest}`).replace('"cfg": 8', '"cfg": 8.0'));
  });

  it('need the definitions of the nodes', () => {
    const found = recordedEdits(WorkflowDocument.of(graph), everything, undefined);
    expect(found.kind).toBe('needsDefinitions');
  });
});
