import * as z from 'zod';
import type { JobDetail } from './jobRecord';
import { readJobState } from './jobStatus';
import type { ServerEvent } from './serverEvent';
import { readDisplayNodes, readOutputs, readStoredEvents } from './storedRun';
import { wireInstant, isJobId, isRecord, wireOptional, wireObject, wireRecord } from './wire';

const historyEntry = z.object({
  prompt: wireOptional(z.array(z.unknown())),
  outputs: wireOptional(wireObject),
  status: wireOptional(wireObject),
  meta: wireOptional(wireObject),
});

const extraData = z.object({ create_time: wireOptional(wireInstant) });

/** Answer of `GET /history` and `GET /history/{id}`, oldest first; `{}` for an unknown job (protocol 4.2). */
export const historyAnswer = wireRecord(historyEntry).transform((raw): JobDetail[] =>
  Object.entries(raw)
    .filter(([id]) => isJobId(id))
    .map(([id, entry]) => detailOf(id, entry)),
);

function detailOf(id: string, entry: z.output<typeof historyEntry>): JobDetail {
  const events = readStoredEvents(entry.status);
  const rawStatus = stateOf(entry.status, events);
  const [, , prompt, extra] = entry.prompt ?? [];
  const createdAt = extraData.safeParse(extra).data?.create_time;
  const startedAt = timeOf(events, 'executionStart');
  const endedAt = timeOf(events, 'executionSuccess', 'executionError', 'executionInterrupted');
  const error = events.find((event) => event.type === 'executionError' && !event.blocked);
  const outputs = readOutputs(entry.outputs ?? {});
  return {
    id,
    status: readJobState(rawStatus),
    rawStatus,
    createdAt,
    startedAt,
    endedAt,
    failure: error?.type === 'executionError' && rawStatus === 'failed' ? error.failure : undefined,
    outputs,
    displayNodes: readDisplayNodes(outputs, entry.meta, isRecord(prompt) ? prompt : undefined),
    events,
  };
}

/** How it ended: according to the messages, and only without them according to the flag (protocol 3.4, 4.3). */
function stateOf(
  status: Readonly<Record<string, unknown>> | undefined,
  events: readonly ServerEvent[],
): 'cancelled' | 'failed' | 'completed' {
  if (events.some((event) => event.type === 'executionInterrupted')) return 'cancelled';
  if (events.some((event) => event.type === 'executionError' && !event.blocked)) return 'failed';
  return status?.['status_str'] === 'error' ? 'failed' : 'completed';
}

function timeOf(
  events: readonly ServerEvent[],
  ...types: readonly ServerEvent['type'][]
): number | undefined {
  for (const event of events) {
    if (types.includes(event.type) && 'timestamp' in event) return event.timestamp;
  }
  return undefined;
}
