import { open } from 'node:fs/promises';
import path from 'node:path';
import type { EmbeddedWorkflows } from '../workflow/pictures/embedded';
import { workflowsInFile } from '../workflow/pictures/workflowsInPicture';

/** A video may have gigabytes, so only the required pieces are read. */
export async function workflowsInLocalFile(place: string): Promise<EmbeddedWorkflows> {
  const file = await open(place, 'r');
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };
  try {
    const { size } = await file.stat();
    return await workflowsInFile({ size, read }, path.basename(place));
  } finally {
    await file.close();
  }
}
