import {
  galleryActions,
  galleryKinds,
  mostCompared,
  thumbnailWidths,
  type FromGallery,
  type GalleryQuery,
} from '../../webview/contract/gallery';
import { defined } from '../platform/defined';

/** Validates messages from the panel: one that does not match the contract is dropped. */
export function readGalleryMessage(message: unknown): FromGallery | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, query, action, ids, id, width, webp } = message as Record<string, unknown>;
  switch (type) {
    case 'ready':
    case 'query': {
      const read = readQuery(query);
      return read && { type, query: read };
    }
    case 'action': {
      const known = galleryActions.find((candidate) => candidate === action);
      return known !== undefined && areIds(ids) ? { type, action: known, ids } : undefined;
    }
    case 'compare':
      return areIds(ids) && ids.length > 1 && ids.length <= mostCompared ? { type, ids } : undefined;
    case 'thumbnail':
    case 'keepThumbnail': {
      const known = thumbnailWidths.find((candidate) => candidate === width);
      if (known === undefined || typeof id !== 'number') return undefined;
      if (type === 'thumbnail') return { type, id, width: known };
      return webp instanceof Uint8Array
        ? { type, id, width: known, webp: webp as Uint8Array<ArrayBuffer> }
        : undefined;
    }
    default:
      return undefined;
  }
}

function readQuery(query: unknown): GalleryQuery | undefined {
  if (typeof query !== 'object' || query === null) return undefined;
  const { workflow, day, server, batch, kind, favoritesOnly, text } = query as Record<string, unknown>;
  return defined({
    workflow: textOf(workflow),
    day: textOf(day),
    server: textOf(server),
    batch: textOf(batch),
    kind: galleryKinds.find((candidate) => candidate === kind),
    favoritesOnly: typeof favoritesOnly === 'boolean' ? favoritesOnly : undefined,
    text: textOf(text),
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function areIds(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((id) => Number.isInteger(id));
}
