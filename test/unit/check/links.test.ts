import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import type { NodeDefinition } from '../../../src/core/catalog/nodeDefinition';
import {
  checkLinkForm,
  checkLinkType,
  linkedDefinition,
  linkedNode,
  typeAtSlot,
} from '../../../src/core/check/links';
import { readAsServerPrompt } from '../../../src/core/check/serverPrompt';
import { expandInputs, type ExpandedInput } from '../../../src/core/catalog/dynamic';
import type { ExactValue } from '../../../src/core/json/exactValue';
import { promptFromData } from '../../support/promptFromData';

const place = { nodeId: '2', range: { offset: 0, length: 1 } };
const prompt = readAsServerPrompt(
  promptFromData({ 1: { class_type: 'Loader', inputs: {} }, 3: { inputs: {} } }),
);

function definition(more: Record<string, unknown>): NodeDefinition {
  const found = Catalog.fromDefinitions({ N: { category: 'c', python_module: 'nodes', ...more } }).get('N');
  if (!found) throw new Error('not a definition');
  return found;
}

function input(type: unknown): ExpandedInput {
  const [first] = expandInputs(definition({ input: { required: { images: [type] } } }), new Map()).inputs;
  if (!first) throw new Error('no input');
  return first;
}

/** What the server raises, in Python's words. */
function raised(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return String(error).replace('PythonRaise: ', '');
  }
  throw new Error('nothing was raised');
}

describe('a list as an input', () => {
  it.each<[string, readonly ExactValue[], boolean]>([
    ['an ID and a slot', ['1', 0n], true],
    ['any two values', [null, null], true],
    ['one value', ['1'], false],
    ['three values', ['1', 0n, 0n], false],
    ['nothing', [], false],
  ])('of $0 is read as a link: $2', (_, value, isLink) => {
    const error = checkLinkForm(input('IMAGE'), value, place);
    expect(error?.type).toBe(isLink ? undefined : 'bad_linked_input');
  });
});

describe('the node of a link', () => {
  it('is found by its ID, which is a string', () => {
    expect(linkedNode(prompt, ['1', 0n], place).classType).toBe('Loader');
    expect(raised(() => linkedNode(prompt, [1n, 0n], place))).toBe('KeyError: 1');
    expect(raised(() => linkedNode(prompt, ['9', 0n], place))).toBe("KeyError: '9'");
  });

  it('cannot be looked up by a list or an object', () => {
    expect(raised(() => linkedNode(prompt, [[], 0n], place))).toBe("TypeError: unhashable type: 'list'");
    expect(raised(() => linkedNode(prompt, [new Map(), 0n], place))).toBe(
      "TypeError: unhashable type: 'dict'",
    );
  });

  it('is named when its type is unknown, with whatever stands for it', () => {
    const catalog = Catalog.fromDefinitions({});
    const typeOf = (id: string): string =>
      raised(() => linkedDefinition(catalog, linkedNode(prompt, [id, 0n], place)));
    expect(typeOf('1')).toBe("KeyError: 'Loader'");
    expect(typeOf('3')).toBe('KeyError: None');
  });
});

describe('the type at a slot', () => {
  const tuple = definition({ output: ['IMAGE', 'MASK'] });
  const list = definition({ output: ['IMAGE', 'MASK'], output_matchtypes: null });
  const letters = definition({ output: 'INT' });

  it('counts from the end if the slot is negative, and true is 1', () => {
    const types = [0n, 1n, -1n, -2n, false, true].map((slot) => typeAtSlot(tuple, slot, place));
    expect(types).toEqual(['IMAGE', 'MASK', 'MASK', 'IMAGE', 'IMAGE', 'MASK']);
  });

  it('is a letter if the output is a plain string', () => {
    expect([0n, 2n, -1n].map((slot) => typeAtSlot(letters, slot, place))).toEqual(['I', 'T', 'T']);
  });

  it.each([
    ['tuple', tuple, 'tuple indices must be integers or slices, not str'],
    ['list', list, 'list indices must be integers or slices, not str'],
    ['string', letters, "string indices must be integers, not 'str'"],
  ])('of a %s must be an integer and exist, in its own words', (container, each, words) => {
    expect(raised(() => typeAtSlot(each, '0', place))).toBe(`TypeError: ${words}`);
    expect(raised(() => typeAtSlot(each, 7n, place))).toBe(`IndexError: ${container} index out of range`);
  });

  it('is that of the only output of a pack whose nodes have any number of outputs', () => {
    const growing = { output: ['*'], python_module: 'custom_nodes.pack' };
    expect(typeAtSlot(definition(growing), 7n, place)).toBe('*');
    const outOfRange = (more: Record<string, unknown>, slot = 7n): string =>
      raised(() => typeAtSlot(definition({ ...growing, ...more }), slot, place));
    const words = 'IndexError: tuple index out of range';
    expect(outOfRange({}, -7n)).toBe(words);
    expect(outOfRange({ python_module: 'nodes' })).toBe(words);
    expect(outOfRange({ output: ['*', '*'] })).toBe(words);
    expect(outOfRange({ output: ['IMAGE'] })).toBe(words);
  });
});

describe('the type of a linked output', () => {
  it('fits in one direction only: a list of options fits COMBO, not the other way round', () => {
    const options = ['a', 'b'];
    expect(checkLinkType(input('COMBO'), options, ['1', 0n], place)).toBeUndefined();
    expect(checkLinkType(input(options), 'COMBO', ['1', 0n], place)?.type).toBe('return_type_mismatch');
  });

  it('is named in the error, with the type of the input', () => {
    const error = checkLinkType(input('IMAGE'), 'MASK', ['1', 0n], place);
    expect(error?.details).toBe('images, received_type(MASK) mismatch input_type(IMAGE)');
  });
});
