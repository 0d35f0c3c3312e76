import * as z from 'zod';
import { isTerminal, type Job } from './job';
import { jobTime } from './jobGroups';

/** Where jobs are kept while the window is closed. What is read back is checked: see `readJobs`. */
export interface JobMemory {
  load(): Promise<readonly Job[]>;
  save(jobs: readonly Job[]): Promise<void>;
}

const node = z.object({
  nodeId: z.string(),
  state: z.enum(['pending', 'running', 'finished', 'cached', 'error']),
  value: z.number(),
  max: z.number(),
  text: z.string().optional(),
  seenAt: z.number().optional(),
  stepsAt: z.number().optional(),
  textAt: z.number().optional(),
});

const place = {
  nodeId: z.string(),
  displayNodeId: z.string().optional(),
  index: z.number().optional(),
};

const file = z.object({
  ...place,
  filename: z.string(),
  subfolder: z.string(),
  area: z.string(),
  media: z.enum(['image', 'video', 'audio', 'model3d', 'text', 'other']),
  format: z.string().optional(),
  displayName: z.string().optional(),
});

const failure = z.object({
  nodeId: z.string().optional(),
  nodeType: z.string().optional(),
  exceptionType: z.string(),
  message: z.string(),
  traceback: z.array(z.string()),
});

const texts = z.record(z.string(), z.string());

const rememberedJob: z.ZodType<Job> = z.object({
  id: z.string().min(1),
  server: z.string(),
  origin: z
    .object({
      label: z.string(),
      sourceUri: z.string().optional(),
      sourceHash: z.string().optional(),
      nodeNames: texts,
      seeds: texts,
    })
    .optional(),
  state: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled', 'lost']),
  cancelling: z.boolean(),
  queuePosition: z.number().optional(),
  createdAt: z.number().optional(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  ownTimes: z.array(z.enum(['createdAt', 'startedAt', 'endedAt'])).optional(),
  nodes: z.record(z.string(), node),
  currentNodeId: z.string().optional(),
  wholeProgress: z.literal(true).optional(),
  outputs: z.array(file),
  texts: z.array(z.object({ ...place, text: z.string() })),
  failure: failure.optional(),
  blocked: z.array(failure),
});

const document = z.object({ format: z.literal(1), jobs: z.array(z.unknown()) });

/**
 * The jobs as text to keep: those that live and the newest that have ended, at most `limit` of these. Where a job
 * stood in the queue is not kept, it will not be true any more.
 */
export function writeJobs(jobs: readonly Job[], limit = 500): string {
  const live = jobs.filter((job) => !isTerminal(job.state));
  const ended = jobs
    .filter((job) => isTerminal(job.state))
    .sort((a, b) => jobTime(b) - jobTime(a))
    .slice(0, limit);
  const kept = [...live, ...ended].map((job) => ({ ...job, queuePosition: undefined }));
  return JSON.stringify({ format: 1, jobs: kept });
}

/**
 * What `writeJobs` wrote. Jobs that do not hold what they should are left out, text that is none of it gives none.
 * Jobs that lived then are what the tracker has to ask the server about: see `JobTracker.start`.
 */
export function readJobs(text: string): readonly Job[] {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return [];
  }
  const jobs = document.safeParse(raw).data?.jobs ?? [];
  return jobs.flatMap((job) => rememberedJob.safeParse(job).data ?? []);
}
