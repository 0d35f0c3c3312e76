import * as z from 'zod';
import { budgets } from '../../core/safety/budgets';
import { axisKinds, type FromBatchForm } from '../../webview/contract/batchEntry';
import { largestPicture, sheetActions, type FromBatchSheet } from '../../webview/contract/batchSheet';

/** A list of values may be as long as a batch file. */
const text = z.string().max(budgets.batchFile);
const form = z.object({
  count: text,
  axes: z.array(z.object({ selector: text, kind: z.enum(axisKinds), text, column: text })).max(1_000),
  servers: z.array(text).max(1_000),
  window: text,
});

/** What the form may send. */
export const formMessages: z.ZodType<FromBatchForm> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), form: form.optional() }),
  z.object({ type: z.literal('change'), revision: z.int().min(0), form }),
  z.object({ type: z.literal('pickFile') }),
  z.object({ type: z.enum(['save', 'run']), form }),
]);

const axis = z.int().min(0);

/** What a contact sheet may send. */
export const sheetMessages: z.ZodType<FromBatchSheet> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('act'), action: z.enum(sheetActions) }),
  z.object({ type: z.literal('open'), row: z.int().min(0) }),
  z.object({ type: z.literal('exportMarkdown'), across: axis.optional(), down: axis.optional() }),
  z.object({ type: z.literal('exportPicture'), png: z.instanceof(Uint8Array<ArrayBuffer>).refine(isPng) }),
]);

function isPng(bytes: Uint8Array): boolean {
  const mark = [137, 80, 78, 71, 13, 10, 26, 10];
  return bytes.length <= largestPicture && mark.every((byte, index) => bytes[index] === byte);
}
