import * as z from 'zod';
import {
  allStars,
  type FromGallery,
  galleryActions,
  galleryKinds,
  galleryOrders,
  mostCompared,
  thumbnailWidths,
} from '../../webview/contract/gallery';

// What is odd in a remembered query must not keep the gallery empty.
const text = z.string().optional().catch(undefined);
const query = z.object({
  workflow: text,
  day: text,
  server: text,
  batch: text,
  kind: z.enum(galleryKinds).optional().catch(undefined),
  favoritesOnly: z.boolean().optional().catch(undefined),
  text,
  order: z.enum(galleryOrders).optional().catch(undefined),
});
const id = z.int();
const ids = z.array(id).readonly();
const width = z.literal(thumbnailWidths);

/** The messages of the page: one that does not match the contract is dropped. */
export const galleryMessages: z.ZodType<FromGallery> = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['ready', 'query']), query }),
  z.object({ type: z.literal('action'), action: z.enum(galleryActions), ids }),
  z.object({ type: z.literal('rate'), ids, stars: z.literal(allStars) }),
  z.object({ type: z.literal('captions'), ids }),
  z.object({ type: z.literal('compare'), ids: z.array(id).min(2).max(mostCompared).readonly() }),
  z.object({ type: z.literal('thumbnail'), id, width }),
  z.object({
    type: z.literal('keepThumbnail'),
    id,
    width,
    webp: z.instanceof(Uint8Array<ArrayBuffer>),
  }),
]);
