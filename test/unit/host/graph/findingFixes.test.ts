import * as vscode from 'vscode';
import { expect, it, onTestFinished, vi } from 'vitest';
import { FindingFixes, type FoundFinding } from '../../../../src/host/graph/findingFixes';

type Title = { readonly title: string; readonly command: string };

function found(node: string): FoundFinding {
  return { finding: { node, severity: 'error', text: 'bad' }, range: node as unknown as vscode.Range };
}

it('does the quick fix of the node that was asked for last, whichever answer comes first', async () => {
  const asked = new Map<unknown, (answers: readonly Title[]) => void>();
  const done: string[] = [];
  const execute = vi.spyOn(vscode.commands, 'executeCommand');
  execute.mockImplementation((command: string, ...[, range]: unknown[]) =>
    command === 'vscode.executeCodeActionProvider'
      ? new Promise((resolve) => asked.set(range, resolve))
      : Promise.resolve(done.push(command)),
  );
  onTestFinished(() => execute.mockRestore());
  const fixes = new FindingFixes({ version: 1 } as vscode.TextDocument);
  const [first, last] = [fixes.find([found('1')]), fixes.find([found('2')])];
  await vi.waitFor(() => expect(asked.size).toBe(2));
  asked.get('2')?.([{ title: 'Mend 2', command: 'mend2' }]);
  const [problem] = await last;
  asked.get('1')?.([{ title: 'Mend 1', command: 'mend1' }]);
  await first;
  expect(problem?.fixes).toEqual([{ id: 0, title: 'Mend 2' }]);
  await fixes.apply(0);
  expect(done).toEqual(['mend2']);
});
