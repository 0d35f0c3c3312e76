import { describe, expect, it } from 'vitest';

import { Catalog } from '../../../src/core/catalog/catalog';
import { expandInputs } from '../../../src/core/catalog/dynamic';
import { exactFrom, type ExactObject } from '../../../src/core/json/exactValue';
import { autogrow } from '../../support/dynamicInputs';

const size = {
  key: 'size',
  inputs: { required: { width: ['INT'] }, optional: { crop: ['COMBO', { options: [] }] } },
};
const inner = ['COMFY_DYNAMICCOMBO_V3', { options: [{ key: 1, inputs: { required: { x: ['INT'] } } }] }];
const deep = { key: 'deep', inputs: { required: { inner } } };
const catalog = Catalog.fromDefinitions({
  Resize: {
    input: {
      required: {
        image: ['IMAGE'],
        how: ['COMFY_DYNAMICCOMBO_V3', { options: [size, deep] }],
      },
    },
  },
  Batch: {
    input: {
      required: {
        images: autogrow({ image: ['IMAGE'] }, { prefix: 'i', min: 1, max: 3 }),
      },
      optional: {
        extra: [
          'COMFY_AUTOGROW_V3',
          { template: { input: { required: {}, optional: { o: ['MASK'] } }, names: ['a', 'b'], min: 2 } },
        ],
      },
    },
  },
  Slot: {
    input: {
      optional: {
        slot: ['COMFY_DYNAMICSLOT_V3', { slotType: 'IMAGE', inputs: { required: { strength: ['FLOAT'] } } }],
      },
    },
  },
  Group: {
    input: {
      required: {
        g: ['COMFY_DYNAMICGROUP_V3', { template: { required: { text: ['STRING'] } }, min: 1, max: 2 }],
      },
    },
  },
  Plain: { input: { required: { a: ['INT'] }, optional: { a: ['STRING'], b: ['INT'] } } },
});

function expand(
  classType: string,
  given: object,
): { names: string[]; hasDynamic: boolean; wrong: unknown[] } {
  const definition = catalog.get(classType);
  if (!definition) throw new Error(`no ${classType}`);
  const { inputs, hasDynamic, groupFaults } = expandInputs(definition, exactFrom(given) as ExactObject);
  return {
    names: inputs.map(({ name, section }) => (section === 'required' ? name : `${name}?`)),
    hasDynamic,
    wrong: groupFaults.map(({ kind, input }) => `${kind} ${input}`),
  };
}

describe('expandInputs', () => {
  it('leaves plain inputs alone; required wins when a name occurs twice', () => {
    expect(expand('Plain', {})).toEqual({ names: ['a', 'b?'], hasDynamic: false, wrong: [] });
  });

  it('adds the inputs of the chosen branch', () => {
    expect(expand('Resize', { how: 'size' })).toMatchObject({
      names: ['image', 'how', 'how.width', 'how.crop?'],
      hasDynamic: true,
    });
  });

  it('follows nested branches and compares keys as Python does', () => {
    expect(expand('Resize', { how: 'deep', 'how.inner': true }).names).toEqual([
      'image',
      'how',
      'how.inner',
      'how.inner.x',
    ]);
    expect(expand('Resize', { how: 'deep' }).names).toEqual(['image', 'how']);
  });

  it('drops a dynamic combo with an unknown key, as the server does', () => {
    expect(expand('Resize', {})).toMatchObject({ names: ['image'], hasDynamic: false });
    expect(expand('Resize', { how: 'nope', 'how.width': 3 })).toMatchObject({
      names: ['image'],
      hasDynamic: false,
    });
  });

  it('gives every name of an autogrow input; the first ones are required if the template is', () => {
    expect(expand('Batch', { 'images.i2': 1 })).toMatchObject({
      names: ['images.i0', 'images.i1?', 'images.i2?', 'extra.a?', 'extra.b?'],
      hasDynamic: true,
    });
  });

  it('includes a dynamic slot only when the prompt has it', () => {
    expect(expand('Slot', {}).names).toEqual([]);
    expect(expand('Slot', { slot: ['1', 0] }).names).toEqual(['slot?', 'slot.strength']);
  });

  it.each([
    [{ 'g.0.text': 'a', 'g.2.text': 'b' }, ['row g.2.text']],
    [{ 'g.0.text': 'a', 'g.01.text': 'b' }, ['key g.01.text']],
    [{ 'g.0.text': 'a', 'g.0.other': 'b', 'g.': 'c' }, ['key g.0.other', 'key g.']],
    [{ 'g.0': 'a' }, ['key g.0', 'rows g']],
  ])('reports what is not a row of a group: %j', (given, wrong) => {
    expect(expand('Group', given).wrong).toEqual(wrong);
  });

  it('counts the rows of a group', () => {
    expect(expand('Group', { 'g.1.text': 'b', 'g.0.text': 'a' })).toMatchObject({
      names: ['g.0.text', 'g.1.text'],
      wrong: [],
    });
    expect(expand('Group', {}).wrong).toEqual(['rows g']);
  });
});
