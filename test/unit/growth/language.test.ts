import { describe, it } from 'vitest';

import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { fixAll } from '../../../src/core/language/edits/fixes';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { expectGentleGrowth } from '../../support/growth';
import { graphs } from './graphShapes';
import { features } from './languageFeatures';
import { catalog, prompts } from './shapes';

const hardest = {
  prompt: prompts['a chain in which every node takes the one before it twice'],
  graph: graphs['a chain of nodes'],
};
/** Features that look from one place in a file at many others. */
const farSighted = ['hints', 'references', 'rename', 'fix all'];
const wide = {
  fan: prompts['one output for many nodes'],
  'wide node': graphs['one unknown node with many linked inputs'],
};
/** Prompts in which much can be linked to much. */
const broken = ['outputs that all fail', 'links to nodes that are not there'] as const;

describe('what an editor asks of a large file', { timeout: 300_000 }, () => {
  it.each(
    Object.entries(features).flatMap(([name, feature]) =>
      Object.entries({ ...hardest, ...(farSighted.includes(name) ? wide : {}) }).map(
        ([shape, input]) => [name, shape, feature, input] as const,
      ),
    ),
  )('takes time that grows with it: %s, %s', async (_name, _shape, feature, input) => {
    await expectGentleGrowth({
      // What is fast is repeated, each time with a new document.
      from: 128,
      to: 8_000,
      input: (size) => {
        const doc = WorkflowDocument.of(input?.(size) ?? '');
        // Reading has a separate test.
        return { doc, read: [doc.prompt, doc.graph] };
      },
      run: ({ doc }) => feature(doc, catalog),
    });
  });

  it.each(broken)('takes time that grows with its broken links: fix all, %s', async (shape) => {
    await expectGentleGrowth({
      from: 64,
      to: 8_000,
      input: (size) => {
        const doc = WorkflowDocument.of(prompts[shape]?.(size) ?? '');
        return { doc, findings: checkWorkflow(doc, { catalog }).findings };
      },
      run: ({ doc, findings }) => [fixAll(doc, findings, { catalog }), fixAll(doc, findings)],
    });
  });
});
