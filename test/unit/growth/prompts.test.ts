import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { describe, it } from 'vitest';

import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { knownValidators } from '../../../src/core/check/knownValidators';
import { readNodeErrors } from '../../../src/core/protocol/nodeErrors';
import { leftOutOf } from '../../../src/core/runLife/submitOnce';
import { budgets } from '../../../src/core/safety/budgets';
import { expectGentleGrowth } from '../../support/growth';
import { catalog, loopsInLoops, prompts } from './shapes';

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

describe('pairing the ends of loops', () => {
  it('takes time that grows with their number, however large it is', { timeout: 120_000 }, async () => {
    await expectGentleGrowth({
      from: 1_000,
      to: 8_000,
      input: loopsInLoops,
      run: (text) => checkWorkflow(WorkflowDocument.of(text), { catalog }),
    });
  });
});

describe('nodes that a server leaves out', () => {
  it('are found in linear time, however many link to the same node', { timeout: 60_000 }, async () => {
    await expectGentleGrowth({
      from: 2_000,
      to: 64_000,
      input: (size) => {
        const nodes: Record<string, unknown> = { source: { class_type: 'A', inputs: {} } };
        const refused: Record<string, unknown> = {};
        for (let index = 0; index < size; index++) {
          nodes[`n${index}`] = {
            class_type: 'B',
            inputs: { from: ['source', 0], before: [`n${index + 1}`, 0] },
          };
          refused[`n${index}`] = { errors: [] };
        }
        return { text: JSON.stringify(nodes), errors: readNodeErrors(refused) };
      },
      run: ({ text, errors: complaints }) => leftOutOf(text, complaints),
    });
  });
});
