import type { Catalog } from '../../catalog/catalog';
import type { JsonRange } from '../../json/node';
import type { MediaFolder } from '../../workflow/mediaInputs';
import { links } from './documentLinks';
import type { WorkflowDocument } from '../../workflow/workflowDocument';

/** An input that names a picture; the range is that of its value inside the quotes. */
export interface ImageInput extends JsonRange {
  /** Without the area suffix; it may include a subfolder. */
  readonly fileName: string;
  readonly folder: MediaFolder;
  /** The value as in the text. */
  readonly text: string;
}

const pictures = /\.(png|apng|jpe?g|jpe|jfif|gif|webp|bmp|dib|tiff?|avif|heic|heif)$/i;

/** The inputs of a workflow that name pictures, in file order. */
export function imageInputs(doc: WorkflowDocument, catalog?: Catalog): ImageInput[] {
  return links(doc, catalog).flatMap((link) => {
    if (link.kind !== 'file' || !pictures.test(link.fileName)) return [];
    const { offset, length, fileName, folder } = link;
    return [{ offset, length, fileName, folder, text: doc.text.slice(offset, offset + length) }];
  });
}
