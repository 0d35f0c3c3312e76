import { budgets } from '../../safety/budgets';
import { type FileBytes, latin, littleEndian, type Reading, utf8 } from './byteRanges';
import type { FoundTexts } from './embedded';

/** A binary glTF model: `asset.extras` of its JSON chunk. */
export function* readGlb(file: FileBytes, found: FoundTexts): Reading<void> {
  let offset = 12;
  for (let parts = 0; parts < budgets.fileParts; parts++) {
    const header = yield* file.at(offset, 8);
    if (header.length < 8) return;
    const length = littleEndian(header, 0, 4);
    if (latin(header, 4, 8) === 'JSON') {
      if (found.takes(length)) readExtras(utf8(yield* file.at(offset + 8, length)), found);
      return;
    }
    offset += 8 + length;
  }
}

/** A glTF model in text form. */
export function* readGltf(file: FileBytes, found: FoundTexts): Reading<void> {
  if (found.takes(file.size)) readExtras(utf8(yield* file.at(0, file.size)), found);
}

/** A SafeTensors file, such as a latent image: the metadata in its header, which starts after its length. */
export function* readSafetensors(file: FileBytes, found: FoundTexts, length: number): Reading<void> {
  if (found.takes(length)) found.members(utf8(yield* file.at(8, length)), ['__metadata__']);
}

/** An SVG image: the object in a `metadata` element, bare, escaped or as CDATA. */
export function* readSvg(file: FileBytes, found: FoundTexts): Reading<void> {
  if (!found.takes(file.size)) return;
  const text = utf8(yield* file.at(0, file.size));
  for (let at = text.indexOf('<metadata'); at >= 0 && !found.isComplete; at = text.indexOf('<metadata', at)) {
    const end = text.indexOf('</metadata>', at);
    if (end < 0) return;
    const inner = text.slice(at, end);
    const object = inner.slice(inner.indexOf('{'), inner.lastIndexOf('}') + 1);
    found.members(inner.includes('<![CDATA[') ? object : unescaped(object));
    at = end;
  }
}

const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

function unescaped(text: string): string {
  return text.replace(/&(quot|apos|lt|gt|amp);/g, (_, name: string) => entities[name] ?? '');
}

function readExtras(text: string, found: FoundTexts): void {
  found.members(text, ['asset', 'extras']);
}
