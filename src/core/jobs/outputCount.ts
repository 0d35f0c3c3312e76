import type { JobDetail } from '../protocol/jobRecord';
import { type Job, jobNode } from './job';
import { endSentence } from '../safety/endSentence';
import { outputsText } from '../safety/countText';
import { t } from '../safety/localize';

/** The number of outputs in a record, as servers count: each item of each list that a node returned. */
export function listedOutputs({ outputs = {} }: Pick<JobDetail, 'outputs'>): number {
  let sum = 0;
  for (const record of Object.values(outputs))
    for (const [key, list] of Object.entries(record))
      if (Array.isArray(list) && key !== 'animated') sum += list.length;
  return sum;
}

/** How many outputs a server counts for a job and how many it has listed; undefined when none is missing. */
export function missingOutputs(job: Job): { readonly counted: number; readonly listed: number } | undefined {
  const { outputsCount: counted = 0, outputsListed = 0 } = job;
  // Events may report outputs that the record does not list yet.
  const listed = Math.max(outputsListed, job.outputs.length + job.texts.length);
  return counted > listed ? { counted, listed } : undefined;
}

export function notListedWords({ counted, listed }: NonNullable<ReturnType<typeof missingOutputs>>): string {
  return t`The server reports ${outputsText(counted)} for this job but lists ${listed}.`;
}

export function misnamedWords({ misnamed }: Pick<Job, 'misnamed'>): string | undefined {
  return misnamed && t`The server listed outputs without a usable name, so they can't be saved.`;
}

/**
 * For a completed job whose server lists no outputs: whether events reported everything that its output nodes made.
 * `unknown`: an output node may have made something that no event reported, and nothing lists it; `cached`: nothing was
 * missed, and the server did not report again what a node had made earlier. Undefined: there is nothing to say.
 */
export function unheardOutputs(job: Job): 'unknown' | 'cached' | undefined {
  if (!job.eventsOnly || job.state !== 'completed') return undefined;
  const outputNodes = job.origin?.outputNodes;
  // Without definitions, it is unknown which nodes make any.
  if (!outputNodes) return job.missedEvents ? 'unknown' : undefined;
  const silent = silentNodes(job, outputNodes);
  if (silent.length === 0) return undefined;
  if (job.missedEvents) return 'unknown';
  return silent.some((id) => jobNode(job.nodes, id)?.state === 'cached') ? 'cached' : undefined;
}

export function silentNodes({ executed = [], origin }: Job, outputNodes: readonly string[]): string[] {
  const [heard, leftOut] = [new Set(executed), new Set(origin?.leftOut?.outputs)];
  return outputNodes.filter((id) => !heard.has(id) && !leftOut.has(id));
}

export function unknownOutputsWords(): { readonly message: string; readonly nextAction: string } {
  return {
    message: t`The job completed, but its outputs are unknown: the server reports them only in events, and some may have been missed.`,
    nextAction: t`Look for the outputs on the server. Running the workflow again may cost again.`,
  };
}

export function cachedOutputsWords(): string {
  return t`The server reused results of an earlier run and didn't report their outputs again.`;
}

export function unheardRunWords(reason: string): { readonly message: string; readonly nextAction: string } {
  return {
    message: t`The server reports outputs only over its WebSocket, which can't be opened. ${endSentence(reason)} The run's outputs couldn't be found.`,
    nextAction: t`Check the server and the key, then run again.`,
  };
}
