import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { describe, it } from 'vitest';

import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { knownValidators } from '../../../src/core/check/knownValidators';
import { budgets } from '../../../src/core/safety/budgets';
import { expectGentleGrowth } from '../../support/growth';
import { catalog, prompts } from './shapes';

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
