import { expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { JobsFeature } from '../../../src/host/jobs/jobsFeature';
import { JobTree, type Row } from '../../../src/host/jobs/jobTree';

type Parts = ConstructorParameters<typeof JobsFeature>;

it('a window that starts shows what it knows in the Jobs view before it asks a server', async () => {
  const done: string[] = [];
  const never = (): { dispose(): void } => ({ dispose: () => undefined });
  let read: (rows: readonly Row[]) => void = () => undefined;
  const section = {
    roots: () => new Promise<readonly Row[]>((resolve) => (read = resolve)),
    onDidChange: never,
    shows: () => true,
    dispose: () => undefined,
  };
  const tree = new JobTree([section], () => done.push('listed'));
  const servers = {
    sessions: { onDidChangeSilence: never, silenceOf: () => undefined },
    onDidChange: never,
    isCurrent: () => true,
    current: () => ({ name: 'My ComfyUI' }),
    status: { kind: 'unchecked' },
    quietSession: () => Promise.resolve(undefined),
    check: () => Promise.resolve(void done.push('asked')),
  };
  const feature = new JobsFeature(
    {
      error: (what: string, error: unknown) => done.push(`${what}: ${String(error)}`),
    } as unknown as Parts[0],
    new JobStore(),
    servers as unknown as Parts[2],
    section as unknown as Parts[3],
    tree,
    { unread: undefined, onDidChange: never } as unknown as Parts[5],
    () => undefined,
  );
  feature.register({ subscriptions: [] } as unknown as vscode.ExtensionContext);
  const listing = tree.getChildren();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(done).toEqual([]);
  read([]);
  await listing;
  await expect.poll(() => done).toEqual(['listed', 'asked']);
});
