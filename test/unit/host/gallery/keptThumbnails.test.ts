import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptThumbnails } from '../../../../src/host/platform/keptThumbnails';

/** A WebP file as far as its header. */
function webp(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  bytes.set(new TextEncoder().encode('RIFF....WEBP'));
  return bytes;
}

const red = 'a'.repeat(64);
const blue = 'b'.repeat(64);

describe('thumbnails on disk', () => {
  let folder = '';
  let output = '';
  let kept = new KeptThumbnails('');
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'comfy-deck-'));
    output = path.join(folder, 'fox.png');
    writeFileSync(output, 'a fox');
    utimesSync(output, 1_000, 1_000);
    kept = new KeptThumbnails(path.join(folder, 'kept'), 1_000);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are found by the content and the width', async () => {
    await kept.keep(red, 256, webp(100));
    expect(await kept.find(red, 256, output)).toStrictEqual(webp(100));
    expect(await kept.find(red, 128, output)).toBeUndefined();
    expect(await kept.find(blue, 256, output)).toBeUndefined();
  });

  it('are not used for an output that has changed since, or is gone', async () => {
    await kept.keep(red, 256, webp(100));
    const later = Date.now() / 1_000 + 60;
    utimesSync(output, later, later);
    expect(await kept.find(red, 256, output)).toBeUndefined();
    rmSync(output);
    expect(await kept.find(red, 256, output)).toBeUndefined();
  });

  it('make room, the oldest first', async () => {
    await kept.keep(red, 128, webp(500));
    utimesSync(path.join(folder, 'kept', `${red}-128.webp`), 2_000, 2_000);
    await kept.keep(red, 256, webp(400));
    await kept.keep(blue, 256, webp(400));
    expect(readdirSync(path.join(folder, 'kept')).sort()).toEqual([`${red}-256.webp`, `${blue}-256.webp`]);
  });

  it('are removed with their output', async () => {
    await kept.keep(red, 256, webp(100));
    await kept.keep(blue, 256, webp(100));
    await kept.remove([red]);
    expect(readdirSync(path.join(folder, 'kept'))).toEqual([`${blue}-256.webp`]);
  });

  it.each([
    ['jpg', [0xff, 0xd8, 0xff, 0xe0, 1]],
    ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]],
    ['webp', [...webp(20)]],
  ])('have a stand-in that is known by its first bytes: %s', async (kind, bytes) => {
    await kept.keepStandIn(red, Uint8Array.from(bytes));
    expect(await kept.standInOf(red, output)).toBe(path.join(folder, 'kept', `${red}-preview.${kind}`));
    expect(await kept.find(red, 256, output), 'the gallery makes a better one').toBeUndefined();
    await kept.remove([red]);
    expect(await kept.standInOf(red, output)).toBeUndefined();
  });

  it.each([
    ['anything else', red, new TextEncoder().encode('<svg onload="…">')],
    ['a large one', red, webp(300_000)],
    ['a hash that names another folder', '../'.repeat(10), webp(100)],
  ])('are refused, and have no stand-in: %s', async (_, sha256, bytes) => {
    await kept.keepStandIn(sha256, bytes);
    await kept.keep(sha256, 256, bytes);
    expect(readdirSync(folder)).toEqual(['fox.png']);
  });
});
