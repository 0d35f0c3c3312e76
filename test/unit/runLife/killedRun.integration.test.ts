import { expect, it } from 'vitest';
import { isOwed, type RunRecord } from '../../../src/core/records/runRecord';
import type { PointerPort } from '../../../src/core/runLife/ownedRun';
import { Life } from '../batch/killedLife';
import { MemoryFolder } from '../outputs/memoryFolder';
import { asksOf, picture, run, sandboxSession, sessionWith } from '../runs/runFixture';
import { portsInMemory, recordOnDisk } from './followedRun';

const never = new AbortController().signal;
const points = [
  ['record', 0, 'sending', false],
  ['pointer', 0, 'lost', true],
  ['POST', 1, 'saved', true],
  ['submitted', 1, 'saved', true],
  ['saving', 1, 'saved', true],
  ['settled', 1, 'saved', true],
  ['pointer removed', 1, 'saved', false],
] as const;
type Point = (typeof points)[number][0];

/** A program that is killed there, and the next one, which resumes what the pointers name. */
async function killed(at: Point) {
  const { sandbox } = await sandboxSession();
  const folder = new MemoryFolder();
  const pointers = new Map<string, string>();
  let die: () => void = () => undefined;
  const died = new Promise<void>((resolve) => (die = resolve));
  const reach = async (point: Point): Promise<void> => {
    if (point !== at) return;
    die();
    await new Promise(() => undefined);
  };
  const kept: PointerPort = {
    put: async ({ name, jobId }) => {
      await reach(jobId === undefined ? 'record' : 'submitted');
      pointers.set('run', name);
      await reach('pointer');
    },
    remove: async () => {
      await reach('settled');
      pointers.clear();
      await reach('pointer removed');
    },
  };
  const first = sessionWith(sandbox);
  const { client } = first.session;
  const submit = client.submit.bind(client);
  client.submit = async (...sent) => {
    const answer = await submit(...sent);
    await reach('POST');
    return answer;
  };
  const asks = asksOf({
    folder: new Life(Infinity).folder(folder),
    pointers: kept,
    ended: () => reach('saving'),
  });
  const live = async (): Promise<void> => {
    const sent = await run(first.session, picture, asks);
    if (sent.kind === 'submitted') await asks.runs.finish(sent.owned, first.session, asks, never);
  };
  await Promise.race([live(), died]);
  // A process that is gone has no locks.
  for (const name of folder.names) if (/\.(?:lock|stamp)$/.test(name)) folder.files.delete(name);
  const [name = ''] = folder.names.filter((each) => each.endsWith('.run.json'));
  const { session } = sessionWith(sandbox);
  // What was about to be sent can't arrive any more after ten minutes.
  session.now = () => Date.now() + 11 * 60_000;
  const later: PointerPort = {
    put: ({ name: known }) => Promise.resolve(void pointers.set('run', known)),
    remove: () => Promise.resolve(void pointers.delete('run')),
  };
  const ports = portsInMemory({ folder, pointers: later });
  const begin = (record: RunRecord) => Promise.resolve(isOwed(record) ? { session, wait: true } : undefined);
  return { sandbox, folder, pointers, name, resume: () => ports.runs.resume(name, ports, begin, never) };
}

it.each(points)(
  'a program that is killed after %s has sent %s prompts, and the run ends as %s',
  async (at, posts, state, isPointed) => {
    const { sandbox, folder, pointers, name, resume } = await killed(at);
    expect(pointers.has('run')).toBe(isPointed);
    if (isPointed) await resume();
    expect(await recordOnDisk(folder, name)).toMatchObject({ state });
    expect(sandbox.seen.count('POST', '/prompt')).toBe(posts);
    expect(folder.names.filter((each) => each.endsWith('.png'))).toHaveLength(state === 'saved' ? 1 : 0);
    expect([...pointers.keys()]).toEqual([]);
  },
);
