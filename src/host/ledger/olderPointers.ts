import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { storedOrigin } from '../../core/jobs/jobMemory';
import { NodeFolder } from '../../core/outputs/nodeFolder';
import { recordNamed } from '../../core/records/recordFile';
import { readPointer, writePointer, type RunPointer } from './runPointer';

const owed = z.object({
  format: z.literal(1),
  server: z.string(),
  serverName: z.string(),
  isSandbox: z.boolean(),
  jobId: z.string().optional(),
  promptId: z.string(),
  origin: storedOrigin,
  sentAt: z.number(),
  folder: z.string(),
  record: z.string(),
  asked: z.boolean().optional(),
  trouble: z.unknown().optional(),
});

const place = z.object({ outputFolder: z.string(), record: z.string() });

/** What earlier versions stored about a run whose outputs were not on disk. */
export function readOwed(text: string): RunPointer | undefined {
  try {
    const { origin, promptId, asked, folder, ...rest } = owed.parse(JSON.parse(text));
    const { label, sourceUri, sourceHash, promptHash } = origin;
    const pointer = {
      ...rest,
      promptId: promptId === '' ? undefined : promptId,
      folder: fileURLToPath(folder),
      ...{ label, sourceUri, sourceHash, promptHash },
      askedAt: asked ? rest.sentAt : undefined,
      isOwed: true,
    };
    return readPointer(writePointer(pointer as RunPointer));
  } catch {
    return undefined;
  }
}

/** What earlier versions stored about any job sent from a window: where its record is, which says the rest. */
export async function readPlace(text: string, jobId: string): Promise<RunPointer | undefined> {
  try {
    const { outputFolder, record: name } = place.parse(JSON.parse(text));
    const folder = fileURLToPath(outputFolder);
    const record = (await recordNamed(new NodeFolder(folder), name))?.record;
    if (record?.job !== jobId) return undefined;
    const { promptId, server, serverKind, label, sourceHash, sentAt } = record;
    return {
      ...{ promptId, jobId, server, folder, record: name, label, sourceHash },
      serverName: new URL(server).host,
      isSandbox: serverKind === 'sandbox',
      sentAt: sentAt === undefined ? 0 : Date.parse(sentAt),
      isOwed: false,
    };
  } catch {
    return undefined;
  }
}
