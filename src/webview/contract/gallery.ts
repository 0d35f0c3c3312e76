import * as z from 'zod';
import type { RunDifference } from '../../core/diff/valueDifferences';
import type { GalleryOrder, Rating } from '../../core/gallery/galleryFilter';
import {
  allStars,
  galleryActions,
  type galleryCommands,
  galleryKinds,
  galleryOrders,
  mostCompared,
  thumbnailWidths,
} from './constants';

export type { GalleryOrder, RunDifference, Rating as Stars };

/**
 * The messages between the gallery and the extension host. The panel speaks first (`ready`), and again after each
 * reload: then it knows nothing, and the host sends all outputs. The host filters; the panel shows the outputs that a
 * list names, in its order.
 */

export type GalleryKind = (typeof galleryKinds)[number];
export type ThumbnailWidth = (typeof thumbnailWidths)[number];
export type GalleryAction = (typeof galleryActions)[number];
export type GalleryCommand = (typeof galleryCommands)[number];

/** An output on disk. */
export interface GalleryOutput {
  /** Unique until the panel closes. */
  readonly id: number;
  readonly name: string;
  readonly kind: GalleryKind;
  readonly source: string;
  /** Address by which the window opens it after a drag; missing for what must not be dragged. */
  readonly dragged?: string;
  readonly sha256?: string;
  /** When its run was sent, ms since the epoch. */
  readonly time: number;
  /** Local day of that time, `yyyy-mm-dd`. */
  readonly day: string;
  readonly workflow: string;
  readonly hasSeed: boolean;
  readonly caption: string;
  /** Other facts, such as its size in pixels. */
  readonly details: string;
}

/** A few words each that tell an output from those of other runs of its workflow, its seed first. */
export interface GalleryCaption {
  readonly id: number;
  readonly words: readonly string[];
}

// An invalid value in a remembered query must not keep the gallery empty.
const text = z.string().optional().catch(undefined);
/** The outputs to show, and their order (newest first if missing). Missing filters don't apply. */
const query = z.object({
  workflow: text,
  day: text,
  /** Display name of the server. */
  server: text,
  batch: text,
  kind: z.enum(galleryKinds).optional().catch(undefined),
  favoritesOnly: z.boolean().optional().catch(undefined),
  text,
  order: z.enum(galleryOrders).optional().catch(undefined),
});
export type GalleryQuery = z.infer<typeof query>;

export interface GalleryChoiceLists {
  readonly workflows: readonly string[];
  readonly days: readonly string[];
  readonly servers: readonly string[];
  readonly batches: readonly { readonly id: string; readonly name: string }[];
  readonly kinds: readonly GalleryKind[];
}

export interface GalleryList {
  /** The outputs to show, in order. */
  readonly ids: readonly number[];
  readonly stars: readonly { readonly id: number; readonly stars: Rating }[];
  /** Number of outputs without a filter. */
  readonly total: number;
  readonly reading: boolean;
  /** There are more outputs than are listed. */
  readonly isCut: boolean;
  /** How many run records can't be read. */
  readonly unread: number;
  /** Why nothing can be listed; missing if it can. */
  readonly unavailable?: 'untrusted' | 'noFolder';
  readonly choices: GalleryChoiceLists;
}

export type ToGallery =
  | { readonly type: 'outputs'; readonly outputs: readonly GalleryOutput[] }
  | { readonly type: 'list'; readonly list: GalleryList }
  /** The answer to `thumbnail`; without a picture if none is kept. */
  | {
      readonly type: 'thumbnail';
      readonly id: number;
      readonly width: ThumbnailWidth;
      readonly webp?: Uint8Array<ArrayBuffer>;
    }
  | { readonly type: 'captions'; readonly captions: readonly GalleryCaption[] }
  | { readonly type: 'command'; readonly command: GalleryCommand }
  /** Opens a comparison; these outputs need not be listed, and `source` is empty for a run without any. */
  | { readonly type: 'compare'; readonly outputs: readonly GalleryOutput[] }
  | {
      readonly type: 'comparison';
      readonly differences: readonly RunDifference[];
      /** Captions that tell the outputs apart. */
      readonly captions: readonly (readonly string[])[];
      /** Outputs whose run record could not be read, or contains no prompt. */
      readonly unknown: readonly number[];
    };

const id = z.int();
const ids = z.array(id).readonly();
const width = z.literal(thumbnailWidths);

export const galleryMessages = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['ready', 'query']), query }),
  z.object({ type: z.literal('action'), action: z.enum(galleryActions), ids }),
  z.object({ type: z.literal('rate'), ids, stars: z.literal(allStars) }),
  z.object({ type: z.literal('captions'), ids }),
  z.object({ type: z.literal('compare'), ids: z.array(id).min(2).max(mostCompared).readonly() }),
  z.object({ type: z.literal('thumbnail'), id, width }),
  z.object({ type: z.literal('keepThumbnail'), id, width, webp: z.instanceof(Uint8Array<ArrayBuffer>) }),
]);
export type FromGallery = z.infer<typeof galleryMessages>;
