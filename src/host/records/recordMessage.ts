import * as z from 'zod';
import { type FromRecord, type RecordChange, recordActions } from '../../webview/contract/record';

export const recordChanges: z.ZodType<readonly RecordChange[]> = z.array(
  z.object({ node: z.string(), input: z.string(), text: z.string() }),
);

export const recordMessages: z.ZodType<FromRecord> = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['ready', 'fields']) }),
  z.object({ type: z.literal('judge'), changes: recordChanges }),
  z.object({ type: z.literal('act'), action: z.enum(recordActions) }),
  z.object({ type: z.literal('runWith'), changes: recordChanges }),
  z.object({ type: z.enum(['copySeed', 'openOutput']), index: z.int().min(0) }),
]);
