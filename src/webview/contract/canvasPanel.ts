import * as z from 'zod';
import { canvasActions } from './constants';

/**
 * The messages of a canvas. Two pages speak with the extension host: the panel, which has a bar of words and a frame;
 * and the ComfyUI page in the frame, by a socket of the proxy. Scripts of the server and of node packs share that page,
 * so what comes from it is not trusted.
 */

export type CanvasAction = (typeof canvasActions)[number];

export type ToCanvas =
  /** `address` contains the secret of the proxy. `name` is the client ID of the page: no two have the same. */
  | { readonly type: 'show'; readonly address: string; readonly name: string }
  /** Takes the frame out. */
  | { readonly type: 'clear' }
  | { readonly type: 'focus' }
  | {
      readonly type: 'say';
      readonly words: string;
      readonly actions: readonly { readonly action: CanvasAction; readonly label: string }[];
    };

export const canvasMessages = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('act'), action: z.enum(canvasActions) }),
]);
export type FromCanvas = z.infer<typeof canvasMessages>;

export type ToComfyPage =
  /**
   * Load the file anew. What is reported afterwards has this number. `unbound`: what to say once nobody answers. `prompt`:
   * answer with a graph of it in place of the file, which is in API format.
   */
  | { readonly type: 'load'; readonly load: number; readonly unbound: string; readonly prompt?: string }
  /** Report the state if it has changed, then answer with the number. `isRun`: the page has asked to run its prompt. */
  | { readonly type: 'ask'; readonly ask: number; readonly isRun: boolean }
  | { readonly type: 'askOther' }
  /** Show a sentence: no panel is around it. */
  | { readonly type: 'say'; readonly words: string }
  | { readonly type: 'setting'; readonly id: string; readonly value: string }
  | { readonly type: 'dirty'; readonly isDirty: boolean };

const text = z.string();
const count = z.int().nonnegative();

export const comfyPageMessages = z.discriminatedUnion('type', [
  /** The page is there, with what it has loaded: 0 for nothing of ours. */
  z.object({ type: z.literal('hello'), load: count }),
  /** The graph of the prompt. */
  z.object({ type: z.literal('imported'), load: count, state: text }),
  /** The state to which later ones are compared, and the types of its nodes that the page doesn't know. */
  z.object({ type: z.literal('loaded'), load: count, state: text, unknownTypes: z.array(text).max(10_000) }),
  /**
   * `by`: what the page does itself: it queues the prompt, and rolls seeds; it shows outputs, for which nodes grow.
   * `touched`: the user has been working since the prompt was queued.
   */
  z.object({
    type: z.literal('state'),
    load: count,
    state: text,
    by: z.enum(['user', 'queue', 'touched', 'output']),
  }),
  z.object({ type: z.literal('answer'), ask: count }),
  /** Whether the tab of our file is the active one. */
  z.object({ type: z.literal('active'), isOurs: z.boolean() }),
  z.object({ type: z.literal('other'), name: text.max(1000), state: text }),
  z.object({ type: z.literal('failed'), reason: z.enum(['old', 'lacks', 'unsettled', 'notLoaded']) }),
  z.object({ type: z.literal('link'), address: text.max(10_000) }),
]);
export type FromComfyPage = z.infer<typeof comfyPageMessages>;
