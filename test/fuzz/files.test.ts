import { readGraph } from '../../src/core/workflow/graph/graph';
import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { describe, it } from 'vitest';

import { checkWorkflow } from '../../src/core/check/checkWorkflow';
import { knownValidators } from '../../src/core/check/knownValidators';
import { parseExact, parsePythonJson } from '../../src/core/json/boundedJson';
import { exactValue } from '../../src/core/json/exactValue';
import { writeExact } from '../../src/core/json/exactWriter';
import { parseJson } from '../../src/core/json/tree';
import { compileGraph } from '../../src/core/workflow/graph/compileGraph';
import { workflowsInPicture } from '../../src/core/workflow/pictures/workflowsInPicture';
import { anyValue, broken, brokenText, type Chance, expectSturdy } from '../support/fuzz';
import { graphs } from '../unit/growth/graphShapes';
import { pictures } from '../unit/growth/pictureShapes';
import { catalog, prompts } from '../unit/growth/shapes';

const promptTexts = Object.values(prompts).map((make) => make(6));
const graphTexts = Object.values(graphs).map((make) => make(4));
const files = Object.values(pictures).map((make) => make(3).subarray(0, 4_000));

/** One of several texts, with a few places changed. */
function oneOf(texts: readonly string[], chance: Chance): string {
  return brokenText(texts[chance.below(texts.length)] ?? '', chance);
}

/** A text with changed values that stays JSON: that gets further than a broken one. */
function changed(texts: readonly string[], chance: Chance): string {
  const text = texts[chance.below(texts.length)] ?? '';
  const names = [
    'nodes',
    'links',
    'inputs',
    'outputs',
    'id',
    'type',
    'widgets_values',
    'class_type',
    '0',
    '1',
  ] as const;
  const places = [...text.matchAll(/:(?=[\d"[{])/g)];
  const place = places[chance.below(places.length)]?.index ?? 0;
  const value = JSON.stringify(anyValue(chance, names, 2));
  return (
    text.slice(0, place + 1) +
    text.slice(place + 1).replace(/^(?:-?\d+|"[^"\\]*"|\[[^[\]{}]*\])/, () => value)
  );
}

describe('what a file may contain', { timeout: 300_000 }, () => {
  it('reads 12,000 almost-JSON texts', () => {
    expectSturdy('JSON', {
      cases: 12_000,
      make: (chance) =>
        brokenText(JSON.stringify(anyValue(chance, ['a', 'b'])) + '[1e5,NaN,"\\u00e9"]', chance),
      run: (text) => {
        const { root } = parseJson(text);
        if (root) writeExact(exactValue(root));
        parsePythonJson(text);
        parseExact(text);
      },
      expected: [SyntaxError],
    });
  });

  it('looks for workflows in 8,000 pictures, sounds, videos and models', () => {
    expectSturdy('pictures', {
      cases: 8_000,
      make: (chance) => broken(files[chance.below(files.length)] ?? Buffer.alloc(0), chance),
      run: (bytes) => workflowsInPicture(bytes),
    });
  });

  it('checks 6,000 prompts', () => {
    const check = (text: string): unknown =>
      checkWorkflow(WorkflowDocument.of(text), { catalog, validators: knownValidators });
    expectSturdy('broken prompts', {
      cases: 3_000,
      make: (chance) => oneOf(promptTexts, chance),
      run: check,
    });
    expectSturdy('changed prompts', {
      cases: 3_000,
      make: (chance) => changed(promptTexts, chance),
      run: check,
    });
  });

  it('compiles and checks 6,000 graphs', () => {
    const check = (text: string): unknown => {
      const document = parseJson(text);
      if (document.root)
        compileGraph(readGraph(document, document.root), catalog, { dynamicPrompts: 'first' });
      return checkWorkflow(WorkflowDocument.of(text), { catalog });
    };
    expectSturdy('broken graphs', { cases: 3_000, make: (chance) => oneOf(graphTexts, chance), run: check });
    expectSturdy('changed graphs', {
      cases: 3_000,
      make: (chance) => changed(graphTexts, chance),
      run: check,
    });
  });
});
