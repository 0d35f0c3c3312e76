import * as z from 'zod';
import { isModelPath, mediaKind } from './mediaKind';
import type { OutputFile, OutputText } from './outputFile';
import { optional } from './wire';

export interface CollectedOutputs {
  readonly files: OutputFile[];
  readonly texts: OutputText[];
}

/** Node id -> what the node gave out, key by key; null for a cached node without a stored record. */
export type OutputRecords = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;

const fileItem = z.object({
  filename: z.string().min(1),
  subfolder: z.string().catch(''),
  type: z.string().min(1).catch('output'),
  format: optional(z.string()),
  display_name: optional(z.string()),
});

/**
 * Files and texts in output records of any node, known or not: every object with a file name in any list, and the
 * paths of 3D models (protocol 3.5). The same file named twice counts once. Names are the server's own: untrusted.
 * `displayNodes` names the prompt's node for expanded ones.
 */
export function collectOutputs(
  outputs: OutputRecords,
  displayNodes: Readonly<Record<string, string>> = {},
): CollectedOutputs {
  const files = new Map<string, OutputFile>();
  const texts: OutputText[] = [];
  for (const [nodeId, record] of Object.entries(outputs)) {
    const display = displayNodes[nodeId];
    const node = {
      nodeId,
      ...(display !== undefined && display !== nodeId ? { displayNodeId: display } : {}),
    };
    for (const [key, value] of Object.entries(record ?? {})) {
      if (key === 'animated') continue;
      if (key === 'text' && typeof value === 'string') texts.push({ ...node, text: value });
      if (!Array.isArray(value)) continue;
      for (const item of value as readonly unknown[]) {
        const file = readFile(item, key);
        if (file) {
          const place = JSON.stringify([file.area, file.subfolder, file.filename]);
          if (!files.has(place)) files.set(place, { ...file, ...node });
        } else if (key === 'text' && typeof item === 'string') {
          texts.push({ ...node, text: item });
        }
      }
    }
  }
  return { files: [...files.values()], texts };
}

function readFile(item: unknown, key: string): Omit<OutputFile, 'nodeId'> | undefined {
  if (typeof item === 'string') return key !== 'text' && isModelPath(item) ? modelFile(item) : undefined;
  const file = fileItem.safeParse(item).data;
  if (!file) return undefined;
  return {
    filename: file.filename,
    subfolder: file.subfolder,
    area: file.type,
    media: mediaKind(file.filename, file.format, key),
    ...(file.format === undefined ? {} : { format: file.format }),
    ...(file.display_name === undefined ? {} : { displayName: file.display_name }),
  };
}

/** `mesh/chair.glb` -> the file chair.glb in the subfolder mesh. */
function modelFile(path: string): Omit<OutputFile, 'nodeId'> {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return {
    filename: path.slice(cut + 1),
    subfolder: cut < 0 ? '' : path.slice(0, cut),
    area: 'output',
    media: 'model3d',
  };
}
