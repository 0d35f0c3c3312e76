/** The three storage areas of a server (protocol 1.7); an open set, so any other text is allowed. */
export type FileArea = 'output' | 'input' | 'temp' | (string & {});

export const mediaKinds = ['image', 'video', 'audio', 'model3d', 'text', 'other'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** File facts from a server, so that nobody has to read the file (protocol 3.5): pixels, seconds, frames per second. */
export type MediaFacts = Told<'width' | 'height' | 'duration' | 'fps' | 'frames', number>;

/** The file in the server's store of assets, its preview picture there, and the hash of its content (protocol 2.3). */
export type AssetIds = Told<'id' | 'preview' | 'hash', string>;

type Told<Name extends string, T> = Readonly<Partial<Record<Name, T | undefined>>>;

/** One file that a node of a run produced, named as the server's view endpoint expects it (protocol 3.5). */
export interface OutputFile {
  readonly filename: string;
  readonly subfolder: string;
  readonly area: FileArea;
  /** Id in the submitted prompt, also of what an expanded node made. */
  readonly nodeId: string;
  readonly media: MediaKind;
  readonly displayName?: string | undefined;
  readonly facts?: MediaFacts | undefined;
  readonly asset?: AssetIds | undefined;
}

/** Text that a node showed (PreviewAny and the like): not a file. */
export interface OutputText {
  readonly nodeId: string;
  /** Id of the executed node if it is another one, such as that of an iteration. */
  readonly part?: string | undefined;
  readonly text: string;
}

/** No picture, sound or video has more pixels in a row, seconds or frames. */
const mostTold = 1e9;

/** The facts in a server's `metadata`, or in a run record; undefined if there are none. */
export function readMediaFacts(value: unknown): MediaFacts | undefined {
  const { frame_count: frames, ...told } = objectMembers(value);
  const isGood = (each: unknown): each is number => typeof each === 'number' && each > 0 && each <= mostTold;
  return pick({ frames, ...told }, ['width', 'height', 'duration', 'fps', 'frames'], isGood);
}

const longestId = 200;

/** The IDs in an entry of an output record, in the `asset` of an upload, or in a run record; undefined without any. */
export function readAssetIds(value: unknown): AssetIds | undefined {
  const own = objectMembers(value);
  const { preview_id: preview, asset_hash: hash, ...told } = { ...objectMembers(own['asset']), ...own };
  const isGood = (each: unknown): each is string =>
    typeof each === 'string' && each !== '' && each.length <= longestId;
  return pick({ preview, hash, ...told }, ['id', 'preview', 'hash'], isGood);
}

/** Empty for anything but an object. Without `wire`, whose schemas would be read at activation. */
export function objectMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function pick<Name extends string, T>(
  told: Readonly<Record<string, unknown>>,
  names: readonly Name[],
  isGood: (each: unknown) => each is T,
): Told<Name, T> | undefined {
  const picked = names.flatMap((name) => (isGood(told[name]) ? [[name, told[name]] as const] : []));
  return picked.length === 0 ? undefined : (Object.fromEntries(picked) as Told<Name, T>);
}
