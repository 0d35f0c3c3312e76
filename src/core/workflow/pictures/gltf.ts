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

function readExtras(text: string, found: FoundTexts): void {
  found.members(text, ['asset', 'extras']);
}
