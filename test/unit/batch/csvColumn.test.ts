import { expect, it } from 'vitest';
import { BatchProblem } from '../../../src/core/batch/batchProblem';
import { csvColumn } from '../../../src/core/batch/axisValues';

function nextAction(text: string): string {
  try {
    csvColumn(text, 'x');
  } catch (error) {
    if (error instanceof BatchProblem) return error.nextAction;
  }
  return '';
}

it('says how a CSV file without the column can get it', () => {
  expect(nextAction('a,b\n1,2')).toBe('Available columns: a, b.');
  for (const text of ['', '\n', ',\n1,2'])
    expect(nextAction(text)).toBe('Put the column names in the first row.');
});
