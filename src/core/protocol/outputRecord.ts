import { objectMembers, readAssetIds, readMediaFacts } from './outputFile';
import type { OutputFile, OutputText, MediaKind } from './outputFile';

/** Node id -> the node's outputs by key; null for a cached node without a stored record. */
export type OutputRecords = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;

/**
 * Files and texts in the output records of any node, known or not: every object with a file name in any list, and the
 * paths of 3D models (protocol 3.5). A file that a node lists twice counts once; the same name at two nodes is two
 * outputs, since the cloud names files by their content. Names are the server's own: untrusted. `nodeOf` maps
 * expanded nodes to the prompt's node, which counts as the one that made their outputs. `isMisnamed`: something is listed
 * without a name that a server could be asked for, or a disk could have.
 */
export function collectOutputs(
  outputs: OutputRecords,
  nodeOf: (executedId: string) => string = (executedId) => executedId,
) {
  const files: OutputFile[] = [];
  const texts: OutputText[] = [];
  const places = new Set<string>();
  let isMisnamed = false;
  for (const [executedId, record] of Object.entries(outputs)) {
    const nodeId = nodeOf(executedId);
    const node = { nodeId, ...(nodeId !== executedId && { part: executedId }) };
    for (const [key, value] of Object.entries(record ?? {})) {
      if (key === 'animated') continue;
      if (key === 'text' && typeof value === 'string') texts.push({ ...node, text: value });
      if (!Array.isArray(value)) continue;
      const isText = key === 'text' || isTextList(value);
      for (const item of value as readonly unknown[]) {
        const file = readFile(item, key);
        if (file) {
          const place = JSON.stringify([nodeId, file.area, file.subfolder, file.filename]);
          if (!places.has(place)) files.push({ ...file, nodeId });
          places.add(place);
        } else if (isText && (typeof item === 'string' || typeof item === 'number')) {
          texts.push({ ...node, text: String(item) });
        } else if (typeof objectMembers(item)['filename'] === 'string') {
          isMisnamed = true;
        }
      }
    }
  }
  return { files, texts, isMisnamed };
}

/** Packs list what a node shows under keys of their own: `tags`, `string`, `value`. */
function isTextList(list: readonly unknown[]): boolean {
  return list.every((item) => typeof item === 'number' || (typeof item === 'string' && !isModelPath(item)));
}

/** No disk has longer ones, and no server could be asked for one. */
const longestName = 4_096;

/**
 * The node of the prompt that an executed one belongs to, by its ID alone: it starts with the ID of the node that
 * expanded, and of one in a loop ends with that of its original (protocol 1.5).
 */
export function submittedId(executedId: string, isInPrompt: (id: string) => boolean): string {
  const dot = executedId.indexOf('.');
  if (dot <= 0) return executedId;
  const [, original] = /\.\d+_([^.]+)$/.exec(executedId) ?? [];
  return original !== undefined && isInPrompt(original) ? original : executedId.slice(0, dot);
}

const documented = ['images', 'video', 'audio'];

/** Whether a record's documented lists contain nothing but files, so that none is missed. */
export function isReadable(record: OutputRecords[string]): boolean {
  return documented.every((key) => {
    const list = record?.[key] ?? [];
    return Array.isArray(list) && list.every((item) => readFile(item, key) !== undefined);
  });
}

/** Parsed by hand: every window needs this for its jobs, and a schema library would come along. */
function readFile(item: unknown, key: string): Omit<OutputFile, 'nodeId'> | undefined {
  if (typeof item === 'string') return key !== 'text' && isModelPath(item) ? modelFile(item) : undefined;
  const { filename, subfolder, type, format, display_name: displayName, metadata } = objectMembers(item);
  if (typeof filename !== 'string' || filename === '' || filename.length > longestName) return undefined;
  const known = typeof format === 'string' ? format : undefined;
  return {
    filename,
    subfolder: typeof subfolder === 'string' ? subfolder : '',
    area: typeof type === 'string' && type !== '' ? type : 'output',
    media: mediaKind(filename, known, key),
    displayName: typeof displayName === 'string' ? displayName : undefined,
    facts: readMediaFacts(metadata),
    asset: readAssetIds(item),
  };
}

function modelFile(path: string): Omit<OutputFile, 'nodeId'> {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return {
    filename: path.slice(cut + 1),
    subfolder: cut < 0 ? '' : path.slice(0, cut),
    area: 'output',
    media: 'model3d',
  };
}

// Maps: a server may use names that every object has, such as `constructor`.
const extensions: ReadonlyMap<string, MediaKind> = new Map([
  ...each('image', 'png jpg jpeg webp gif bmp tif tiff avif svg exr hdr'),
  ...each('video', 'mp4 webm mov mkv avi m4v'),
  ...each('audio', 'wav mp3 flac ogg opus m4a aac'),
  ...each('model3d', 'obj fbx gltf glb usdz stl ply splat spz ksplat'),
  ...each('text', 'txt md json csv srt yaml html htm xhtml xht shtml xml'),
]);

const keys: ReadonlyMap<string, MediaKind> = new Map([
  ...each('image', 'images'),
  ...each('video', 'gifs video videos'),
  ...each('audio', 'audio'),
  ...each('model3d', '3d'),
]);

/**
 * The kind of a file: by its format (a MIME type), else by its extension, else by its key (protocol 3.5). A web page
 * or a text file is always one, whatever the format says: other programs go by the name.
 */
export function mediaKind(filename: string, format: string | undefined, key: string): MediaKind {
  const byName = extensions.get(extensionOf(filename));
  if (byName === 'text') return 'text';
  const major = /^(image|video|audio|text)\//.exec(format ?? '')?.[1];
  if (major === 'image' || major === 'video' || major === 'audio' || major === 'text') return major;
  if (format?.startsWith('model/')) return 'model3d';
  return byName ?? keys.get(key) ?? 'other';
}

/** Bare texts that stand for a file, as the 3D nodes send them (protocol 3.5). */
function isModelPath(text: string): boolean {
  return /\.(obj|fbx|gltf|glb|usdz)$/i.test(text);
}

function extensionOf(filename: string): string {
  return /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
}

function each(kind: MediaKind, names: string): readonly (readonly [string, MediaKind])[] {
  return names.split(' ').map((name) => [name, kind]);
}
