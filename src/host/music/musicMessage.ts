import * as z from 'zod';
import { type FromMusic, peakCount, trackActions } from '../../webview/contract/music';

export const trackPeaks: z.ZodType<readonly number[]> = z.array(z.number().min(0).max(1)).length(peakCount);

export const musicMessages: z.ZodType<FromMusic> = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['ready', 'cancel', 'keep', 'dismiss', 'signIn', 'selectService', 'undo']) }),
  z.object({ type: z.literal('generate'), prompt: z.string(), seconds: z.number() }),
  z.object({ type: z.literal('track'), action: z.enum(trackActions), id: z.string() }),
  z.object({ type: z.literal('peaks'), id: z.string(), peaks: trackPeaks }),
]);
