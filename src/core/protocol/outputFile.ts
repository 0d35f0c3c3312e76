/** The three storage areas of a server (protocol 1.7); an open set, so any other text is allowed. */
export type FileArea = 'output' | 'input' | 'temp' | (string & {});

export type MediaKind = 'image' | 'video' | 'audio' | 'model3d' | 'text' | 'other';

/** What a server tells of a picture, a video or a sound, so that nobody has to read the file (protocol 3.5). */
export interface MediaFacts {
  /** Pixels. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Seconds. */
  readonly duration?: number | undefined;
  readonly fps?: number | undefined;
  readonly frames?: number | undefined;
}

/** The file in the server's store of assets (protocol 2.3). */
export interface AssetIds {
  readonly id?: string | undefined;
  /** Of its preview picture. */
  readonly preview?: string | undefined;
  /** Of its content, such as `blake3:…`. */
  readonly hash?: string | undefined;
}

/** One file that a node of a run produced, named as the server's view endpoint expects it (protocol 3.5). */
export interface OutputFile {
  readonly filename: string;
  readonly subfolder: string;
  readonly area: FileArea;
  /** Id in the submitted prompt, also of what an expanded node made. */
  readonly nodeId: string;
  readonly media: MediaKind;
  /** MIME type or format text as the server gave it. */
  readonly format?: string | undefined;
  readonly displayName?: string | undefined;
  readonly facts?: MediaFacts | undefined;
  readonly asset?: AssetIds | undefined;
}

/** Text that a node showed (PreviewAny and the like): not a file. */
export interface OutputText {
  /** Id in the submitted prompt. */
  readonly nodeId: string;
  /** Id of the executed node if it is another one, such as that of an iteration. */
  readonly part?: string | undefined;
  readonly text: string;
}

const longestId = 200;

/** The facts in a server's `metadata`, or in a run record; undefined if there are none. */
export function readMediaFacts(value: unknown): MediaFacts | undefined {
  const told = membersOf(value);
  const number = (name: string): number | undefined => {
    const each = told[name];
    return typeof each === 'number' && each > 0 && Number.isFinite(each) ? each : undefined;
  };
  return unlessEmpty({
    width: number('width'),
    height: number('height'),
    duration: number('duration'),
    fps: number('fps'),
    frames: number('frame_count') ?? number('frames'),
  });
}

/** The ids in an entry of an output record, in the `asset` of an upload, or in a run record; undefined without any. */
export function readAssetIds(value: unknown): AssetIds | undefined {
  const told = membersOf(value);
  const text = (name: string): string | undefined => {
    const each = told[name];
    return typeof each === 'string' && each !== '' && each.length <= longestId ? each : undefined;
  };
  const inner = told['asset'] === undefined ? undefined : readAssetIds(told['asset']);
  return unlessEmpty({
    id: text('id') ?? inner?.id,
    preview: text('preview_id') ?? text('preview') ?? inner?.preview,
    hash: text('asset_hash') ?? text('hash') ?? inner?.hash,
  });
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function unlessEmpty<T extends object>(told: T): T | undefined {
  return Object.values(told).some((each) => each !== undefined) ? told : undefined;
}
