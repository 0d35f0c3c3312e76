import { EventStream } from '../../../src/core/client/eventStream';
import { coalesce } from '../../../src/core/jobs/coalesce';
import type { Job } from '../../../src/core/jobs/job';
import { JobStore } from '../../../src/core/jobs/jobStore';
import { jobRow } from '../../../src/host/jobs/jobRow';
import { treeGroups } from '../../../src/host/jobs/treeGroups';
import { HelperProcess } from '../helperProcess';
import { perSecond, seconds } from '../helpers/eventServer';
import { type LoopDelay, watchLoop } from '../loopDelay';
import type { BenchRow, Measurement } from '../row';
import { ms } from '../timing';

const server = 'http://127.0.0.1:8188';
const history = 10_000;
/** The refresh interval of the Jobs view, ms. */
const refreshEvery = 100;

function endedJob(index: number): Job {
  const endedAt = Date.now() - index * 60_000;
  const nodes = Object.fromEntries(
    ['1', '2', '3'].map((nodeId) => [nodeId, { nodeId, state: 'finished', value: 1, max: 1 } as const]),
  );
  return {
    id: `ended-${index}`,
    server,
    state: 'completed',
    cancelling: false,
    createdAt: endedAt - 9_000,
    startedAt: endedAt - 8_000,
    endedAt,
    nodes,
    outputs: [],
    texts: [],
    blocked: [],
  };
}

interface Heard {
  readonly events: number;
  readonly refreshes: number;
  readonly secondsTaken: number;
  readonly loop: LoopDelay;
  readonly idle: LoopDelay;
}

/** A real socket into a store with a long history, and a view that groups all of it at every refresh. */
async function flood(): Promise<Heard> {
  const store = new JobStore();
  store.restore(Array.from({ length: history }, (_, index) => endedJob(index)));
  let events = 0;
  let refreshes = 0;
  const changed = new Set<string>();
  const refresh = coalesce(() => {
    refreshes++;
    treeGroups(store.jobs(), Date.now());
    for (const id of changed) {
      const job = store.get(id);
      if (job)
        jobRow(job, { files: 0, savedFiles: 0, saving: false, serverName: undefined, now: Date.now() });
    }
    changed.clear();
  }, refreshEvery);
  store.onDidChange((change) => {
    for (const id of [...change.added, ...change.changed]) changed.add(id);
    refresh();
  });

  const speaker = await HelperProcess.start('events');
  const idler = await HelperProcess.start('idleDelay');
  const stream = new EventStream({
    address: () => Promise.resolve(String(speaker.told)),
    clientId: 'bench',
    onEvent: (event) => {
      events++;
      store.observe({ kind: 'event', event, server, at: Date.now() });
    },
    onState: () => undefined,
  });
  await stream.open();
  const stop = watchLoop();
  speaker.say('go');
  const took = Number(await speaker.next());
  // Also processes what is left in the socket.
  for (let before = -1; before !== events;) {
    before = events;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const loop = stop();
  const idleDelay = idler.next();
  idler.say('stop');
  const idle = (await idleDelay) as LoopDelay;
  refresh.cancel();
  speaker.stop();
  idler.stop();
  await stream.close();
  return { events, refreshes, secondsTaken: took / 1000, loop, idle };
}

async function measured(): Promise<Measurement[]> {
  const { events: heard, refreshes, secondsTaken, loop, idle } = await flood();
  // The first one comes at once; the others are as many as fit into a second.
  const rate = (refreshes - 1) / secondsTaken;
  const all = perSecond * seconds;
  return [
    {
      what: `${perSecond} socket events/s for ${seconds} s, ${history} jobs in history: event loop blocked`,
      bar: '< 50 ms',
      value: `at most ${ms(loop.max)}, p99 ${ms(loop.p99)}; ${heard} of ${all} heard`,
      yardstick: `an idle process meanwhile: at most ${ms(idle.max)}`,
      held: loop.max < 50 && heard === all,
      numbers: { maxMs: loop.max, p99Ms: loop.p99, idleMaxMs: idle.max, events: heard },
    },
    {
      what: 'refreshes of the jobs view meanwhile',
      bar: '<= 10/s',
      value: `${rate.toFixed(1)}/s`,
      held: rate <= 10.05,
      numbers: { perSecond: rate },
    },
  ];
}

export const events: BenchRow = { name: 'events', measure: measured };
