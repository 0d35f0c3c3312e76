import type { ExecutionClient } from '../client/execution';
import { replaceValue } from '../json/textEdit';
import type { TextEdit } from '../json/textEdit';
import type { UploadAnswer } from '../protocol/answers';
import type { PreparedMedia, PreparedRun } from './preparedRun';
import { refusal } from './runRefusal';
import type { RunRefusal } from './runRefusal';
import type { LocalMedia } from './runWorkflow';

export interface PlannedUpload {
  readonly local: LocalMedia;
  /** The name in the workflow. */
  readonly name: string;
  /** All inputs that name this content. */
  readonly inputs: readonly PreparedMedia[];
}

/** What one server is known to have: content hash and ending -> value for the workflow. Lives as long as the session. */
export type UploadMemory = Map<string, string>;

/** Names that lead out of a folder, on any system, or that no file system takes. */
export function leadsOutside(name: string): boolean {
  return /^[/\\~]|^[A-Za-z]:|(^|[/\\])\.\.([/\\]|$)/.test(name) || /\p{Cc}/u.test(name);
}

type PreparedPlaces = Pick<PreparedRun, 'media' | 'places'>;

/** Refuses media names that lead out of the workspace, unless the server itself lists them. */
export function refuseOutsideMedia({ media, places }: PreparedPlaces): RunRefusal | undefined {
  const outside = media.filter(({ fileName, listed }) => !listed && leadsOutside(fileName));
  const [first] = outside;
  if (!first) return undefined;
  const problems = outside.map(({ nodeId, input }) => {
    return {
      nodeId,
      input,
      ...(places.input(nodeId, input) ?? places.node(nodeId)),
      message: 'This name leads out of the workspace.',
      type: 'media_outside',
    };
  });
  return refusal(
    'mediaOutside',
    `Node ${first.nodeId} names a file outside the workspace, which is not read.`,
    'Put the file into the folder of the workflow and name it without a path out of it.',
    problems[0],
    problems,
  );
}

/** Which files have to be sent: found in the workspace and not known to be on the server; the same content once. */
export async function planUploads(
  media: readonly PreparedMedia[],
  localMedia: (name: string) => Promise<LocalMedia | undefined>,
): Promise<PlannedUpload[]> {
  const byName = new Map<string, PreparedMedia[]>();
  for (const each of media) byName.set(each.fileName, [...(byName.get(each.fileName) ?? []), each]);
  const planned = new Map<string, PlannedUpload>();
  for (const [name, inputs] of byName) {
    if (leadsOutside(name)) continue;
    const local = await localMedia(name);
    if (!local) continue;
    const key = memoryKey(local.hash, name);
    const same = planned.get(key);
    planned.set(key, { local, name: same?.name ?? name, inputs: [...(same?.inputs ?? []), ...inputs] });
  }
  return [...planned.values()];
}

export function isRemembered(memory: UploadMemory, { local, name }: PlannedUpload): boolean {
  return memory.has(memoryKey(local.hash, name));
}

/** Sends what the server does not have yet; gives the edits that put the server's names into the workflow. */
export async function uploadMedia(
  planned: readonly PlannedUpload[],
  client: Pick<ExecutionClient, 'uploadImage'>,
  memory: UploadMemory,
  onUpload: (name: string, index: number, count: number) => void,
  signal: AbortSignal,
): Promise<TextEdit[]> {
  const count = planned.filter((each) => !isRemembered(memory, each)).length;
  let index = 0;
  const edits: TextEdit[] = [];
  for (const upload of planned) {
    const key = memoryKey(upload.local.hash, upload.name);
    let value = memory.get(key);
    if (value === undefined) {
      onUpload(upload.name, ++index, count);
      const answer = await client.uploadImage(
        { filename: lastPart(upload.name), bytes: await upload.local.bytes() },
        signal,
      );
      value = workflowValue(answer);
      memory.set(key, value);
    }
    const text = JSON.stringify(value);
    for (const { valueNode, value: present } of upload.inputs) {
      if (present !== value) edits.push(replaceValue(valueNode, text));
    }
  }
  return edits;
}

/** How a workflow names an uploaded file (protocol 1.3). */
function workflowValue({ name, subfolder, type }: UploadAnswer): string {
  const path = subfolder === '' ? name : `${subfolder}/${name}`;
  return type === 'input' || type === '' ? path : `${path} [${type}]`;
}

function memoryKey(hash: string, name: string): string {
  const ending = /\.[^./\\]+$/.exec(name)?.[0] ?? '';
  return `${hash}${ending.toLowerCase()}`;
}

function lastPart(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? name;
}
