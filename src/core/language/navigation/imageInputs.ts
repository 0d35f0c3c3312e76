import type { Catalog } from '../../catalog/catalog';
import type { UploadKind } from '../../catalog/inputSpec';
import type { JsonRange } from '../../json/node';
import type { MediaFolder } from '../../workflow/mediaInputs';
import { widgetAt } from '../places/graphNodes';
import { bareRange } from '../places/jsonPlace';
import { expandedInputNamed } from '../places/nodeInputs';
import { workflowPlaceAt } from '../places/workflowPlace';
import { documentLinks } from './documentLinks';
import type { WorkflowDocument } from '../../workflow/workflowDocument';

/** An input that names a picture; the range is that of its value inside the quotes. */
export interface ImageInput extends JsonRange {
  /** Without the area suffix; it may include a subfolder. */
  readonly fileName: string;
  readonly folder: MediaFolder;
  readonly text: string;
}

const pictures = /\.(png|apng|jpe?g|jpe|jfif|gif|webp|bmp|dib|tiff?|avif|heic|heif)$/i;

/** The inputs of a workflow that name pictures, in file order. */
export function imageInputs(doc: WorkflowDocument, catalog?: Catalog): ImageInput[] {
  return documentLinks(doc, catalog).flatMap((link) => {
    if (link.kind !== 'file' || !pictures.test(link.fileName)) return [];
    const { offset, length, fileName, folder } = link;
    return [{ offset, length, fileName, folder, text: doc.text.slice(offset, offset + length) }];
  });
}

/** A value that names a file to upload: the range is that of the value with its quotes. */
export interface MediaValue extends JsonRange {
  readonly kind: UploadKind;
}

/** The value at an offset, if it names a file to upload. Without definitions, nobody knows. */
export function mediaValueAt(
  doc: WorkflowDocument,
  offset: number,
  catalog: Catalog | undefined,
): MediaValue | undefined {
  const place = workflowPlaceAt(doc, offset);
  const node = place?.json.node;
  if (node?.kind !== 'string') return undefined;
  const spec =
    place?.kind === 'widget'
      ? widgetAt(place, catalog)?.widget.spec
      : place?.kind === 'inputValue'
        ? expandedInputNamed(place.node, place.name, catalog)?.spec
        : undefined;
  if (spec?.kind !== 'combo' || spec.upload === undefined) return undefined;
  return { ...bareRange(node), kind: spec.upload };
}
