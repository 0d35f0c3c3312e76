import * as z from 'zod';
import { type FromGraph, graphActs, largestGiven } from '../../webview/contract/graphPanel';

/** IDs that lead to an instance, names, and what is looked for. */
const name = z.string().max(1_000);
/** What is entered. */
const value = z.string().max(1_000_000);
const row = { node: name, input: name };
const room = z.object({ width: z.number(), height: z.number() });
const content = z.instanceof(Uint8Array).refine(({ length }) => length <= largestGiven);

const looks = [
  z.object({ type: z.literal('ready'), inside: name, room: room.optional() }),
  z.object({ type: z.literal('open'), inside: name }),
  z.object({
    type: z.literal('goTo'),
    node: z.string(),
    input: z.string().optional(),
    takesFocus: z.boolean(),
  }),
  z.object({ type: z.literal('find'), text: name, from: name.optional(), by: z.literal([1, 0, -1]) }),
] as const;

/** What the page can ask of a graph that is only looked at. */
export const lookMessages = z.discriminatedUnion('type', looks);

export const graphMessages: z.ZodType<FromGraph> = z.discriminatedUnion('type', [
  ...looks,
  z.object({ type: z.enum(['openRun', 'hideRun', 'run', 'save', 'goToOrigin']) }),
  z.object({ type: z.enum(['findFixes', 'findImage']), node: name }),
  z.object({ type: z.literal('selected'), node: name.optional() }),
  z.object({ type: z.literal('framePainted'), serial: z.number() }),
  z.object({ type: z.literal('act'), act: z.enum(graphActs), node: name, row: name.optional() }),
  z.object({
    type: z.literal('useImage'),
    node: name,
    file: z.union([value, z.object({ name, content })]),
  }),
  z.object({ type: z.literal('fix'), id: z.int().nonnegative() }),
  z.object({ type: z.literal('change'), ...row, from: value, to: value }),
  z.object({ type: z.literal('step'), ...row, by: z.literal([1, -1]) }),
]);

/** What the menus of the page tell of their place. */
export const menuPlace = z.object({ node: name.optional(), row: z.string().optional() });
