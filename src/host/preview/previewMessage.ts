import * as z from 'zod';
import { type FromPreview, outputActions } from '../../webview/contract/preview';

const jobId = z.string();

export const previewMessages: z.ZodType<FromPreview> = z.discriminatedUnion('type', [
  // What a page kept from before a reload may be of another version.
  z.object({ type: z.literal('ready'), jobId: jobId.optional().catch(undefined) }),
  z.object({ type: z.enum(['run', 'showProblems']) }),
  z.object({ type: z.literal('framePainted'), serial: z.number() }),
  z.object({ type: z.literal('runAgain'), jobId, seeds: z.enum(['keep', 'new']) }),
  z.object({ type: z.literal('goToProblem'), index: z.int() }),
  z.object({ type: z.enum(['cancel', 'showReport']), jobId }),
  z.object({ type: z.literal('selected'), jobId, key: z.string() }),
  z.object({ type: z.literal('goToNode'), jobId, nodeId: z.string() }),
  z.object({ type: z.literal('output'), action: z.enum(outputActions), jobId, key: z.string() }),
]);
