import { describe, expect, it } from 'vitest';
import { StreamOpener } from '../../../src/core/jobs/serverWatch';
import type { JobStream } from '../../../src/core/jobs/jobSource';

function stream(): { stream: JobStream; calls: string[] } {
  const calls: string[] = [];
  const told = (what: string) => () => {
    calls.push(what);
    return Promise.resolve();
  };
  return { stream: { state: { kind: 'closed' }, open: told('open'), close: told('close') }, calls };
}

describe('the socket', () => {
  it('opens once for two runs that start while it is being closed', async () => {
    const { stream: socket, calls } = stream();
    const opener = new StreamOpener(socket);
    await opener.open();
    void opener.close();
    await Promise.all([opener.retry(), opener.retry()]);
    expect(calls).toEqual(['open', 'close', 'open']);
  });

  it('does not open for a run that has ended by then', async () => {
    const { stream: socket, calls } = stream();
    const opener = new StreamOpener(socket);
    const opening = opener.open();
    void opener.close();
    await expect(opening).rejects.toThrow('The socket is no longer needed.');
    expect(calls).toEqual(['close']);
  });
});
