import type { MediaKind } from './outputFile';

const extensions: Readonly<Record<string, MediaKind>> = {
  ...each('image', 'png jpg jpeg webp gif bmp tif tiff avif svg exr hdr'),
  ...each('video', 'mp4 webm mov mkv avi m4v'),
  ...each('audio', 'wav mp3 flac ogg opus m4a aac'),
  ...each('model3d', 'obj fbx gltf glb usdz stl ply splat spz ksplat'),
  ...each('text', 'txt md json csv srt yaml html htm xhtml xht shtml xml'),
};

const keys: Readonly<Record<string, MediaKind>> = {
  images: 'image',
  gifs: 'video',
  video: 'video',
  videos: 'video',
  audio: 'audio',
  '3d': 'model3d',
};

/**
 * What a file is, told by its format (a MIME type), else by its extension, else by the key it came under (protocol 3.5).
 * A page or a text is one whatever else is said of it: the name is what other programs go by.
 */
export function mediaKind(filename: string, format: string | undefined, key: string): MediaKind {
  if (extensions[extensionOf(filename)] === 'text') return 'text';
  const major = /^(image|video|audio|text)\//.exec(format ?? '')?.[1];
  if (major === 'image' || major === 'video' || major === 'audio' || major === 'text') return major;
  if (format?.startsWith('model/')) return 'model3d';
  return extensions[extensionOf(filename)] ?? keys[key] ?? 'other';
}

/** Texts that stand for a file by themselves, as the 3D nodes send them (protocol 3.5). */
export function isModelPath(text: string): boolean {
  return /\.(obj|fbx|gltf|glb|usdz)$/i.test(text);
}

function extensionOf(filename: string): string {
  return /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
}

function each(kind: MediaKind, names: string): Record<string, MediaKind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}
