import type { AxisKind } from '../../core/batch/batchForm';
import type { GalleryOrder, Rating } from '../../core/gallery/galleryFilter';

// Values of the contracts that pages use besides types. Separate from the schemas, because a page must not bundle zod.

export const axisKinds: readonly AxisKind[] = ['list', 'range', 'file', 'options', 'prompt'];

/** Bytes of the exported picture of a contact sheet. */
export const largestPicture = 256 * 1024 * 1024;

export const galleryKinds = ['image', 'video', 'audio', 'model3d', 'text', 'other'] as const;
export const galleryOrders: readonly GalleryOrder[] = ['newest', 'oldest', 'workflow', 'rating'];
export const allStars: readonly Rating[] = [0, 1, 2, 3, 4, 5];

/** Thumbnails come in these widths, so that the size slider does not make all anew at each step. */
export const thumbnailWidths = [128, 256, 512] as const;

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

/** The commands that only the context menu offers, because only the page can do them. */
export const galleryCommands = [...galleryActions, 'favorite', 'compare', 'copyImage'] as const;

/** How many outputs can be compared at a time. */
export const mostCompared = 6;

/** The actions of menus and keys on a node of a graph, one of its rows or its image. */
export const graphActs = [
  'edit',
  'resetValue',
  'goToText',
  'mute',
  'unmute',
  'bypass',
  'removeBypass',
  'newSeed',
  'openSubgraph',
  'openImage',
  'revealImage',
] as const;

/** The actions that only the page of a graph can do. */
export const pageActs = ['quickFix', 'copyImage', 'fit', 'find'] as const;

/** Bytes of a file that is dropped or pasted onto a node. */
export const largestGiven = 64 * 2 ** 20;

/** How many values describe the loudness of a track. */
export const peakCount = 240;

/** What the bar of a canvas offers. */
export const canvasActions = ['showGraph', 'openText', 'load', 'saveOther', 'newWorkflow'] as const;

/** Code of a socket that was closed because another page of the same file has connected. */
export const replacedCode = 4001;
