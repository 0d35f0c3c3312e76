import type { RunDifference } from '../../core/diff/valueDifferences';
import type { GalleryOrder, Rating } from '../../core/gallery/galleryFilter';

export type { GalleryOrder, RunDifference, Rating as Stars };

/**
 * The messages between the gallery and the extension host. The panel speaks first (`ready`), and again after each
 * reload: then it knows nothing, and the host sends all outputs. The host filters; the panel shows the outputs that a
 * list names, in its order.
 */

export const galleryKinds = ['image', 'video', 'audio', 'model3d', 'text', 'other'] as const;
export type GalleryKind = (typeof galleryKinds)[number];

/** Thumbnails come in these widths, so that the size slider does not make all anew at each step. */
export const thumbnailWidths = [128, 256, 512] as const;
export type ThumbnailWidth = (typeof thumbnailWidths)[number];

/** An output on disk. */
export interface GalleryOutput {
  /** Unique until the panel closes. */
  readonly id: number;
  readonly name: string;
  readonly kind: GalleryKind;
  /** Address that the panel may load. */
  readonly source: string;
  /** Address by which the window opens it after a drag; missing for what must not be dragged. */
  readonly dragged?: string;
  /** Of a large picture, whose thumbnails are kept on disk. */
  readonly sha256?: string;
  /** When its run was sent, ms since the epoch. */
  readonly time: number;
  /** Local day of that time, `yyyy-mm-dd`. */
  readonly day: string;
  /** Name of the workflow. */
  readonly workflow: string;
  /** Display name of the server. */
  readonly server: string;
  readonly hasSeed: boolean;
  /** Its seed, or else its workflow. */
  readonly caption: string;
  /** What is known besides, such as its size in pixels. */
  readonly details: string;
}

/** What tells an output from those of other runs of its workflow, in a few words each: first its seed. */
export interface GalleryCaption {
  readonly id: number;
  readonly words: readonly string[];
}

export const galleryOrders: readonly GalleryOrder[] = ['newest', 'oldest', 'workflow', 'rating'];
export const allStars: readonly Rating[] = [0, 1, 2, 3, 4, 5];

/** Which outputs to show, and in which order; what is missing does not matter. */
export interface GalleryQuery {
  readonly workflow?: string | undefined;
  readonly day?: string | undefined;
  /** Display name of the server. */
  readonly server?: string | undefined;
  /** Id of the batch. */
  readonly batch?: string | undefined;
  readonly kind?: GalleryKind | undefined;
  readonly favoritesOnly?: boolean | undefined;
  readonly text?: string | undefined;
  /** Newest first if missing. */
  readonly order?: GalleryOrder | undefined;
}

export interface GalleryChoiceLists {
  readonly workflows: readonly string[];
  readonly days: readonly string[];
  readonly servers: readonly string[];
  readonly batches: readonly { readonly id: string; readonly name: string }[];
  readonly kinds: readonly GalleryKind[];
}

export interface GalleryList {
  /** What to show, in order. */
  readonly ids: readonly number[];
  /** Of what was rated. */
  readonly stars: readonly { readonly id: number; readonly stars: Rating }[];
  /** Number of outputs without a filter. */
  readonly total: number;
  /** Run records are still being read. */
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
  /** A command of the menu, for what is selected. */
  | { readonly type: 'command'; readonly command: GalleryCommand }
  /** Opens a comparison; these outputs need not be listed, and `source` is empty for a run without any. */
  | { readonly type: 'compare'; readonly outputs: readonly GalleryOutput[] }
  | {
      readonly type: 'comparison';
      readonly ids: readonly number[];
      readonly differences: readonly RunDifference[];
      /** What tells each from the others. */
      readonly captions: readonly (readonly string[])[];
      /** Outputs whose run record could not be read, or contains no prompt. */
      readonly unknown: readonly number[];
    };

/** The actions on one or several outputs. */
export const galleryActions = [
  'open',
  'openToSide',
  'showRun',
  'useSeed',
  'useValues',
  'reveal',
  'copyPath',
  'export',
  'delete',
] as const;
export type GalleryAction = (typeof galleryActions)[number];

/** What the context menu offers besides: what only the page can do. */
export const galleryCommands = [...galleryActions, 'favorite', 'compare', 'copyImage'] as const;
export type GalleryCommand = (typeof galleryCommands)[number];

/** How many outputs can be compared at a time. */
export const mostCompared = 6;

export type FromGallery =
  | { readonly type: 'ready'; readonly query: GalleryQuery }
  | { readonly type: 'query'; readonly query: GalleryQuery }
  | { readonly type: 'action'; readonly action: GalleryAction; readonly ids: readonly number[] }
  | { readonly type: 'rate'; readonly ids: readonly number[]; readonly stars: Rating }
  | { readonly type: 'captions'; readonly ids: readonly number[] }
  | { readonly type: 'compare'; readonly ids: readonly number[] }
  | { readonly type: 'thumbnail'; readonly id: number; readonly width: ThumbnailWidth }
  | {
      readonly type: 'keepThumbnail';
      readonly id: number;
      readonly width: ThumbnailWidth;
      readonly webp: Uint8Array<ArrayBuffer>;
    };
