import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { describe, expect, it } from 'vitest';
import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { budgets } from '../../../src/core/safety/budgets';
import { catalog, check, workflow } from './checkTexts';

describe('large and cancelled checks', () => {
  it('keep the 500 most severe findings and end with the number of the others', () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 700 }, (_, index) => [
        `n${index}`,
        { class_type: 'Loader', inputs: { name: 'x' } },
      ]),
    );
    const report = check(workflow({ steps: 0 }, nodes));
    expect(report.findings).toHaveLength(501);
    expect(report.omitted).toBe(901);
    expect(report.findings.at(-1)).toMatchObject({
      code: 'more-findings',
      message: 'More problems: 901. Fix these first.',
    });
    expect(report.findings.map(({ code }) => code)).toContain('below-minimum');
  });

  it('report that a file with too many nodes was not checked', () => {
    const node = '{"class_type":"Nope","inputs":{}}';
    const nodes = (count: number): string =>
      Array.from({ length: count }, (_, id) => `"${id}":${node}`).join(',');
    const codesOf = (count: number): string[] =>
      checkWorkflow(WorkflowDocument.of(`{${nodes(count)}}`), { catalog }).findings.map(({ code }) => code);
    expect(codesOf(budgets.checkedNodes + 1)).toEqual(['too-large-to-check']);
    expect(codesOf(budgets.checkedNodes)).not.toContain('too-large-to-check');
  });

  it('shorten a message that contains a very long name from the file', () => {
    const [finding] = check(
      workflow({}, { x: { class_type: 'N'.repeat(100_000), inputs: {} } }),
    ).findings.filter(({ code }) => code === 'unknown-class');
    expect(finding?.message.length).toBeLessThan(budgets.shownText + 10);
  });

  it('stop on the abort signal', () => {
    const abort = new AbortController();
    abort.abort();
    expect(() => check(workflow(), { signal: abort.signal })).toThrow(
      expect.objectContaining({ name: 'AbortError' }) as Error,
    );
  });

  it('handle chains of any length', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [
        `c${index}`,
        { class_type: 'Batch', inputs: { 'images.image0': [index === 4999 ? '2' : `c${index + 1}`, 0] } },
      ]),
    );
    expect(() =>
      check(
        workflow({}, { ...chain, '9': { class_type: 'Save', inputs: { images: ['c0', 0], prefix: '' } } }),
      ),
    ).not.toThrow();
  });
});
