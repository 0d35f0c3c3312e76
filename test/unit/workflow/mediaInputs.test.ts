import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { findMediaInputs, splitFolderNote } from '../../../src/core/workflow/mediaInputs';
import { findPartnerNodes } from '../../../src/core/workflow/classTypePlaces';
import { promptFromData } from '../../support/promptFromData';

const prompt = promptFromData({
  1: { class_type: 'LoadImage', inputs: { image: 'sub/a.png [output]', upload: 'image' } },
  2: { class_type: 'LoadVideo', inputs: { file: 'b.mp4' } },
  3: { class_type: 'LoadImage', inputs: { image: ['1', 0] } },
  4: { class_type: 'PackLoader', inputs: { mesh: 'c.glb', image: 'd.png' } },
  5: { class_type: 'constructor', inputs: { image: 'e.png' } },
  6: { class_type: 'Partner', inputs: {} },
  7: { class_type: 'Partner', inputs: {} },
});

const catalog = Catalog.fromDefinitions({
  LoadImage: { input: { required: { image: [['a.png'], { image_upload: true }] } } },
  PackLoader: {
    input: { required: { mesh: ['COMBO', { options: [], mesh_upload: true }], image: [['d.png']] } },
  },
  Partner: { input: {}, api_node: true },
});

describe('mediaInputsOf', () => {
  it('uses the upload flags of the definitions, and the well-known loaders for unknown node types', () => {
    expect(
      findMediaInputs(prompt, catalog).map(({ nodeId, input, kind, fileName, folder }) => [
        nodeId,
        input,
        kind,
        fileName,
        folder,
      ]),
    ).toEqual([
      ['1', 'image', 'image', 'sub/a.png', 'output'],
      ['2', 'file', 'video', 'b.mp4', 'input'],
      ['4', 'mesh', 'mesh', 'c.glb', 'input'],
    ]);
  });

  it('knows the well-known loaders without a catalog', () => {
    expect(findMediaInputs(prompt, undefined).map(({ nodeId }) => nodeId)).toEqual(['1', '2']);
  });

  it.each([
    ['a.png', 'a.png', 'input'],
    ['a.png [input]', 'a.png', 'input'],
    ['a.png [temp]', 'a.png', 'temp'],
    ['a [final].png', 'a [final].png', 'input'],
    ['a.png [other]', 'a.png [other]', 'input'],
    ['a.png[output]', 'a.png[output]', 'input'],
  ])('splits %s', (value, fileName, folder) => {
    expect(splitFolderNote(value)).toEqual({ fileName, folder });
  });
});

describe('partnerNodesOf', () => {
  it('lists each paid node type once', () => {
    expect(findPartnerNodes(prompt, catalog)).toEqual(['Partner']);
  });
});
