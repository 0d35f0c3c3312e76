import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { completeAtOffset } from '../../../src/core/language/completion/complete';
import { exampleWorkflow } from '../../../src/core/language/exampleWorkflow';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';

const sample = readFileSync(path.join(import.meta.dirname, '../../../samples/text-to-image.json'), 'utf8');

it("the example's mistake is found at the cursor without a server", () => {
  const made = exampleWorkflow(sample, 'mistake');
  const document = WorkflowDocument.of(made?.text ?? '');
  const { findings } = checkWorkflow(document, {});
  const [first] = findings.filter(({ severity }) => severity === 'error');
  const offset = made?.offset ?? 0;
  expect(first?.offset).toBeLessThanOrEqual(offset);
  expect((first?.offset ?? 0) + (first?.length ?? 0)).toBeGreaterThan(offset);
});

it("completion offers nodes at the example's cursor without a server", () => {
  const made = exampleWorkflow(sample, 'completion');
  const labels = completeAtOffset(WorkflowDocument.of(made?.text ?? ''), made?.offset ?? 0).map(
    ({ label }) => label,
  );
  expect(labels.length).toBeGreaterThan(1);
  expect(labels.join(' ')).toContain('KSampler');
});

it('a sample without such a link is not used as an example', () => {
  expect(exampleWorkflow('{}', 'mistake')).toBeUndefined();
});
