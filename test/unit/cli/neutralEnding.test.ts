import { expect, it } from 'vitest';
import { RunReport } from '../../../src/cli/runReport';
import type { SavedOutput } from '../../../src/core/outputs/savedOutput';

function saved(filename: string, name: string): SavedOutput {
  const file = { filename, subfolder: '', area: 'output', nodeId: '9', media: 'other' } as const;
  return { file, name, location: `/out/${name}`, bytes: 1, sha256: '00' };
}

it('the command line says which output got an extension that does not run', () => {
  let err = '';
  const report = new RunReport(
    {
      out: () => undefined,
      err: (text) => (err += text),
      columns: undefined,
      env: {},
      onInterrupt: () => () => undefined,
      exit: () => undefined,
    },
    false,
  );
  report.saved([saved('tool.exe', 'w-tool.exe.txt'), saved('a.png', 'w-a.png'), saved('b.txt', 'w-b.txt')]);
  expect(err.match(/could run.*/g)).toEqual(['could run as a program, so it was saved as w-tool.exe.txt.']);
});
