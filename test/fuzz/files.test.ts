import { describe, it } from 'vitest';

import { parseExact, parsePythonJson } from '../../src/core/json/boundedJson';
import { exactValue } from '../../src/core/json/exactValue';
import { writeExact } from '../../src/core/json/exactWriter';
import { parseJson } from '../../src/core/json/tree';
import { workflowsInPicture } from '../../src/core/workflow/pictures/workflowsInPicture';
import { anyValue, broken, brokenText, expectSturdy } from '../support/fuzz';
import { pictures } from '../unit/growth/pictureShapes';

const files = Object.values(pictures).map((make) => make(3).subarray(0, 4_000));

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
});
