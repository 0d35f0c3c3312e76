import * as z from 'zod';
import { peakCount } from './constants';

/**
 * The messages between the music panel and the extension host. The panel speaks first (`ready`); the host answers
 * with everything and sends each of the three parts again when it changes, so a lost message cannot leave the panel
 * wrong. The host owns the generations: the panel may be closed while one runs.
 */

/** The music that the user can request, where, and at what price. */
export interface MusicSetup {
  readonly service: string;
  readonly isSandbox: boolean;
  /** False: the service needs a key or a token and none is stored. */
  readonly ready: boolean;
  readonly promptCharacters: number;
  readonly shortestSeconds: number;
  readonly longestSeconds: number;
  /** Both 0 if nothing is charged, null if the price is unknown. */
  readonly creditsPerSecond: number | null;
  readonly dollarsPerSecond: number | null;
  /** Addresses of the decoder for a VS Code that cannot play AAC. */
  readonly decoder: MusicDecoder;
}

export interface MusicDecoder {
  readonly worker: string;
  readonly wasm: string;
}

export interface MusicStreamView {
  /** Such as `prompt 1, copy 2`; missing for a single piece. */
  readonly piece?: string | undefined;
  readonly title?: string | undefined;
  readonly tags: readonly string[];
  readonly summary?: string | undefined;
  /** Seconds of audio received; undefined while unknown. */
  readonly seconds?: number | undefined;
  readonly bytes: number;
}

export interface MusicGeneration {
  readonly prompt: string;
  /** Requested seconds. */
  readonly seconds: number;
  readonly stage: 'waiting' | 'receiving' | 'saving' | 'cancelling';
  readonly streams: readonly MusicStreamView[];
}

export interface MusicTrouble {
  readonly message: string;
  readonly nextAction: string;
  /** Received music that is not on disk and can be kept; not `whole` if its stream broke off. */
  readonly unsaved?: { readonly seconds: number; readonly whole: boolean } | undefined;
  readonly canSignIn: boolean;
  readonly prompt: string;
  readonly seconds: number;
}

/** A piece of music and how it was made. */
export interface MusicTrack {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly summary?: string | undefined;
  readonly prompt: string;
  /** Requested seconds. */
  readonly asked: number;
  /** Received seconds. */
  readonly seconds?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Such as `2 of 3 (prompt 1, copy 2)`; missing for a single piece. */
  readonly variant?: string | undefined;
  readonly credits?: number | undefined;
  readonly partial: boolean;
  readonly fileName: string;
  /** Loudness over time, 0..1 each; missing until the panel has played the file once. */
  readonly peaks?: readonly number[] | undefined;
}

export interface MusicTrackView extends MusicTrack {
  readonly source: string;
}

export type ToMusic =
  | { readonly type: 'setup'; readonly setup: MusicSetup }
  /** Newest first. `undo`: the title of the last deleted track, which can be restored. */
  | { readonly type: 'tracks'; readonly tracks: readonly MusicTrackView[]; readonly undo: string | null }
  | {
      readonly type: 'generation';
      readonly generation: MusicGeneration | null;
      readonly trouble: MusicTrouble | null;
    };

/** Loudness over time, 0 to 1 each. */
export const trackPeaks = z.array(z.number().min(0).max(1)).length(peakCount).readonly();
const trackAction = z.enum(['reveal', 'saveAs', 'copyPrompt', 'again', 'delete']);
export type TrackAction = z.infer<typeof trackAction>;

export const musicMessages = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['ready', 'cancel', 'keep', 'dismiss', 'signIn', 'selectService', 'undo']) }),
  z.object({ type: z.literal('generate'), prompt: z.string(), seconds: z.number() }),
  z.object({ type: z.literal('track'), action: trackAction, id: z.string() }),
  z.object({ type: z.literal('peaks'), id: z.string(), peaks: trackPeaks }),
]);
export type FromMusic = z.infer<typeof musicMessages>;
