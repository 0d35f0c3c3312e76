const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  wav: 'audio/x-wav',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  txt: 'text/plain',
  json: 'application/json',
  glb: 'model/gltf-binary',
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  xml: 'text/xml',
};

/** Types that a browser would run or render: sent as a plain download (protocol 1.7). */
const dangerous = new Set(['text/html', 'text/javascript', 'text/css', 'image/svg+xml', 'text/xml']);

export function mediaType(filename: string): string {
  const ending = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  const type = types[ending] ?? 'application/octet-stream';
  return dangerous.has(type) ? 'application/octet-stream' : type;
}
