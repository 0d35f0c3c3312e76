import * as z from 'zod';
import { mapDefined } from '../safety/lists';
import { mediaKinds, readAssetIds, readMediaFacts } from '../protocol/outputFile';
import { wireRecord } from '../protocol/wire';
import { budgets } from '../safety/budgets';
import { isTerminal, jobNodeStates, jobStates, type Job, type JobNode } from './job';
import { furthestJob } from './jobEnd';
import { jobTime } from './jobGroups';
import { nodeSpans } from './nodeTimes';
import { jobNodePrice } from './runPrice';

const number = z.number().optional();
const part = z.object({ startedAt: number, endedAt: number, price: number, priceAt: number });

const node = part.extend({
  nodeId: z.string(),
  state: z.enum(jobNodeStates),
  value: z.number(),
  max: z.number(),
  text: z.string().optional(),
  seenAt: number,
  stepsAt: number,
  textAt: number,
  parts: wireRecord(part).optional(),
});

const place = { nodeId: z.string(), index: z.number().optional() };

const file = z.object({
  ...place,
  filename: z.string(),
  subfolder: z.string(),
  area: z.string(),
  media: z.enum(mediaKinds),
  displayName: z.string().optional(),
  facts: z.unknown().optional().transform(readMediaFacts),
  asset: z.unknown().optional().transform(readAssetIds),
});

const failure = z.object({
  nodeId: z.string().optional(),
  nodeType: z.string().optional(),
  exceptionType: z.string(),
  message: z.string(),
  traceback: z.array(z.string()),
});

const texts = z.record(z.string(), z.string());

const storedOrigin = z.object({
  label: z.string(),
  sourceUri: z.string().optional(),
  sourceHash: z.string().optional(),
  promptHash: z.string().optional(),
  nodeNames: texts,
  seeds: texts,
  outputNodes: z.array(z.string()).optional(),
  serverName: z.string().optional(),
});

const rememberedJob: z.ZodType<Job> = z.object({
  id: z.string().min(1),
  server: z.string(),
  origin: storedOrigin
    .extend({
      leftOut: z.object({ outputs: z.array(z.string()), nodes: z.array(z.string()) }).optional(),
      batch: z.object({ id: z.string(), row: z.int().min(0) }).optional(),
    })
    .optional(),
  state: z.enum(jobStates),
  cancelling: z.boolean(),
  queuePosition: z.number().optional(),
  createdAt: z.number().optional(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  ownTimes: z.array(z.enum(['createdAt', 'startedAt', 'endedAt'])).optional(),
  nodes: z.record(z.string(), node),
  currentNodeId: z.string().optional(),
  wholeProgress: z.literal(true).optional(),
  outputsCount: z.number().optional(),
  outputsListed: z.number().optional(),
  eventsOnly: z.literal(true).optional(),
  executed: z.array(z.string()).optional(),
  heardEnd: z.literal(true).optional(),
  missedEvents: z.literal(true).optional(),
  misnamed: z.literal(true).optional(),
  lostWhy: z.literal('sandboxEnded').optional().catch(undefined),
  outputs: z.array(file),
  texts: z.array(z.object({ ...place, part: z.string().optional(), text: z.string() })),
  notices: z.array(z.object({ text: z.string(), at: z.number() })).optional(),
  failure: failure.optional(),
  blocked: z.array(failure),
});

const document = z.object({ format: z.literal(1), jobs: z.array(z.unknown()) });

/**
 * Our jobs as text to store: the live ones and the latest ended ones, at most `limit` of these, and as many as its size
 * allows. Other people's are not stored, since their server lists them again; nor are queue positions, which will be
 * outdated.
 * @param more members of the text, the newest items last
 */
export function writeJobs(
  jobs: readonly Job[],
  more: Readonly<Record<string, readonly unknown[]>> = {},
  limit: number = budgets.keptJobs,
): string {
  const ours = jobs.filter((job) => job.origin !== undefined).sort((a, b) => jobTime(b) - jobTime(a));
  const live = ours.filter((job) => !isTerminal(job.state));
  const ended = ours.filter((job) => isTerminal(job.state)).slice(0, limit);
  let room: number = budgets.storedJobs;
  const thatFit = (items: readonly unknown[]): string[] =>
    items.flatMap((item) => {
      const text = JSON.stringify(item);
      if (text.length > room) return [];
      room -= text.length;
      return [text];
    });
  const remembered = [...live, ...ended].map((job) => ({
    ...job,
    queuePosition: undefined,
    nodes: wholeNodes(job),
  }));
  const lists: [string, string[]][] = [
    ['jobs', thatFit(remembered)],
    ...Object.entries(more).map(([name, items]): [string, string[]] => [
      name,
      thatFit(items.toReversed()).reverse(),
    ]),
  ];
  return `{"format":1,${lists.map(([name, texts]) => `"${name}":[${texts.join(',')}]`).join(',')}}`;
}

/** A long loop executes thousands of parts: once it is over, only what they add up to is stored. */
function wholeNodes(job: Job): Job['nodes'] {
  const looped = Object.values(job.nodes).filter(({ parts }) => parts !== undefined);
  if (looped.length === 0 || !isTerminal(job.state)) return job.nodes;
  const spans = nodeSpans(job);
  const whole = looped.map((node): [string, JobNode] => {
    const { nodeId, priceAt = 0 } = node;
    const price = jobNodePrice(node);
    const nodeFacts = { ...spans.get(nodeId), ...(price !== undefined && { price, priceAt }) };
    return [nodeId, { ...node, ...nodeFacts, parts: undefined }];
  });
  return { ...job.nodes, ...Object.fromEntries(whole) };
}

export function mergeJobs(parts: readonly (readonly Job[])[]): readonly Job[] {
  const jobs = new Map<string, Job>();
  for (const job of parts.flat()) {
    const known = jobs.get(job.id);
    jobs.set(job.id, known ? furthestJob(known, job) : job);
  }
  return [...jobs.values()];
}

/** Skips invalid jobs. The tracker has to ask the server about jobs that were live: see `JobTracker.start`. */
export function readJobs(text: string): readonly Job[] {
  try {
    const { jobs } = document.parse(JSON.parse(text));
    return mapDefined(jobs, (job) => rememberedJob.safeParse(job).data);
  } catch {
    return [];
  }
}
