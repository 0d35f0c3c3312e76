import { describe, it } from 'vitest';

import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { knownValidators } from '../../../src/core/check/knownValidators';
import { readNodeErrors } from '../../../src/core/protocol/nodeErrors';
import { findLeftOut } from '../../../src/core/runLife/submitOnce';
import { budgets } from '../../../src/core/safety/budgets';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { expectGentleGrowth } from '../../support/growth';
import { catalog, numbers, prompts } from './shapes';

describe('reading and checking a prompt', { timeout: 300_000 }, () => {
  it.each(Object.entries(prompts))('takes time that grows with it: %s', async (_name, input) => {
    await expectGentleGrowth({
      from: 256,
      // Some shapes have two nodes for each step.
      to: budgets.checkedNodes / 2,
      input,
      run: (text) => checkWorkflow(WorkflowDocument.of(text), { catalog, validators: knownValidators }),
    });
  });
});

describe('nodes that a server leaves out', () => {
  it('are found in linear time, however many link to the same node', { timeout: 60_000 }, async () => {
    await expectGentleGrowth({
      from: 2_000,
      to: 64_000,
      input: (size) => {
        const inputs = (id: number): object => ({ from: ['source', 0], before: [`n${id + 1}`, 0] });
        const nodes = numbers(size).map((id) => [`n${id}`, { class_type: 'B', inputs: inputs(id) }] as const);
        const refused = numbers(size).map((id) => [`n${id}`, { errors: [] }] as const);
        return {
          text: JSON.stringify({ source: { class_type: 'A', inputs: {} }, ...Object.fromEntries(nodes) }),
          errors: readNodeErrors(Object.fromEntries(refused)),
        };
      },
      run: ({ text, errors }) => findLeftOut(text, errors),
    });
  });
});
