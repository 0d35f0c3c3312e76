import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { previewMessages } from '../../../../src/webview/contract/preview';

describe('messages from the preview panel', () => {
  it.each([
    [{ type: 'ready' }],
    [{ type: 'ready', jobId: 'a' }],
    [{ type: 'framePainted', serial: 3 }],
    [{ type: 'cancel', jobId: 'a' }],
    [{ type: 'goToNode', jobId: 'a', nodeId: '3' }],
    [{ type: 'runAgain', jobId: 'a', seeds: 'new' }],
    [{ type: 'goToProblem', index: 3 }],
    [{ type: 'showProblems' }],
    [{ type: 'selected', jobId: 'a', key: 'temp//x.png' }],
    [{ type: 'output', action: 'saveAs', jobId: 'a', key: 'output//x.png' }],
  ])('passes %j', (message) => {
    expect(previewMessages.safeParse(message).data).toEqual(message);
  });

  it.each([
    [null],
    ['ready'],
    [{ type: 'cancel' }],
    [{ type: 'cancel', jobId: 7 }],
    [{ type: 'runAgain', jobId: 'a', seeds: '7' }],
    [{ type: 'goToProblem', index: 0.5 }],
    [{ type: 'selected', jobId: 'a' }],
    [{ type: 'output', action: 'delete', jobId: 'a', key: 'k' }],
    [{ type: 'output', action: 'toString', jobId: 'a', key: 'k' }],
    [{ type: 'execute', command: 'workbench.action.quit' }],
  ])('drops %j', (message) => {
    expect(previewMessages.safeParse(message).data).toBeUndefined();
  });

  it('never throws, and passes on nothing that the contract does not name', () => {
    fc.assert(
      fc.property(fc.anything(), (message) => {
        previewMessages.safeParse(message);
      }),
    );
    expect(previewMessages.parse({ type: 'run', extra: 'x' })).toEqual({ type: 'run' });
  });
});
