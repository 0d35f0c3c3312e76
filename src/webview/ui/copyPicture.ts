import { t } from '../../core/safety/localize';

/** Puts a picture into the clipboard, as PNG: browsers take no other type. @returns why it couldn't, if a page may not */
export async function copyPicture(source: string, name: string): Promise<string | undefined> {
  // After a menu, the window has the focus, and only the page that has it may write.
  window.focus();
  return navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(source) })]).then(
    () => undefined,
    () => t`${name} can't be copied: this window doesn't allow images on the clipboard. Open it instead.`,
  );
}

async function pngOf(source: string): Promise<Blob> {
  const file = await (await fetch(source)).blob();
  if (file.type === 'image/png') return file;
  const picture = await createImageBitmap(file);
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  picture.close();
  return canvas.convertToBlob({ type: 'image/png' });
}
