import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { writeRunRecord } from '../../../src/core/records/runRecord';
import { SheetOutputs } from '../../../src/core/batch/contactSheet';
import { savedRun } from '../gallery/galleryRecords';

describe('the output in a cell of the sheet', () => {
  const record = 'a-20260501-120000.run.json';
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'comfy-deck-'));
    writeFileSync(path.join(root, record), writeRunRecord(savedRun(0, ['a.png'])));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const shown = () => new SheetOutputs().of(new NodeFolder(root), record);

  it('is the file that the record names', async () => {
    writeFileSync(path.join(root, 'a.png'), '');
    expect(await shown()).toEqual({ name: 'a.png', kind: 'image' });
  });

  it('is never a link, which might lead to a device', async () => {
    symlinkSync('/dev/zero', path.join(root, 'a.png'));
    expect(await shown()).toBeUndefined();
  });

  it('is named even if it was deleted', async () => {
    expect(await shown()).toEqual({ name: 'a.png', kind: 'image' });
  });
});
