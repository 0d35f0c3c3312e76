import { describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { RunStore } from '../../../src/core/runLife/runStore';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { JobTree, type Row } from '../../../src/host/jobs/jobTree';
import { jobsBadge, JobsFeature, type BadgeFacts } from '../../../src/host/jobs/jobsFeature';
import { stored } from '../jobs/observations';

const here = 'http://127.0.0.1:8188';
const elsewhere = 'https://elsewhere.example';
const facts: BadgeFacts = {
  isShown: () => true,
  isCurrent: (origin) => origin === here,
  isSilent: () => false,
};
const job = (id: string, server: string, state: 'running' | 'pending' = 'running') => ({
  ...stored(state, id),
  server,
});

describe('the badge of the Jobs view', () => {
  it('counts running and queued jobs', () => {
    const badge = jobsBadge(
      [job('a', here), job('b', here, 'pending'), job('c', elsewhere, 'pending')],
      facts,
    );
    expect(badge?.value).toBe(3);
    expect(badge?.tooltip.line()).toBe('1 running, 2 queued');
    expect(jobsBadge([], facts)).toBeUndefined();
  });

  it('does not count a job of an unselected server that does not answer', () => {
    const jobs = [job('a', here), job('b', elsewhere)];
    const silent = { ...facts, isSilent: () => true };
    expect(jobsBadge(jobs, silent)?.value, 'that of the chosen server is waited for').toBe(1);
    expect(jobsBadge([job('b', elsewhere)], silent)).toBeUndefined();
    expect(jobsBadge(jobs, facts)?.value).toBe(2);
  });

  it('does not count jobs that the view hides', () => {
    const isShown: BadgeFacts['isShown'] = ({ id }) => id !== 'b';
    expect(jobsBadge([job('a', here), job('b', here)], { ...facts, isShown })?.value).toBe(1);
  });
});

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
  const tree = new JobTree([section]);
  void tree.listed.then(() => done.push('listed'));
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
      log: { error: (what: string, error: unknown) => done.push(`${what}: ${String(error)}`) },
      sight: { add: never },
    } as unknown as Parts[0],
    {
      ...{ runs: new RunStore(new JobStore()), servers },
      folders: { unread: undefined, onDidChange: never },
    } as unknown as Parts[1],
    section as unknown as Parts[2],
    tree,
    { wake: () => undefined },
  );
  feature.register({ subscriptions: [] } as unknown as vscode.ExtensionContext);
  const listing = tree.getChildren();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(done).toEqual([]);
  read([]);
  await listing;
  await expect.poll(() => done).toEqual(['listed', 'asked']);
});
