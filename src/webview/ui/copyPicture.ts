/** Puts a picture into the clipboard, as PNG: browsers take no other type. Fails where a page may not. */
export async function copyPicture(source: string): Promise<void> {
  // After a menu, the window has the focus, and only the page that has it may write.
  window.focus();
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(source) })]);
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
