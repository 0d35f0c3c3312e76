import type { Finding } from '../check/finding';
import { leadsOutside } from '../safety/paths';
import { createHash } from 'node:crypto';
import type { ExecutionClient } from '../client/execution';
import { replaceValue, type TextEdit } from '../json/textEdit';
import type { UploadAnswer } from '../protocol/answers';
import type { UploadedFile, UploadMemory } from '../runLife/runSession';
import { budgets } from '../safety/budgets';
import type { LocalMedia } from './localFile';
import type { PreparedMedia, PreparedRun } from './prepareRun';
import { createRunRefusal, type RunRefusal } from './runRefusal';
import { isNameOfKind, isContentOfKind, kindWords } from './uploadKinds';
import { t } from '../safety/localize';
import { groupByKey } from '../workflow/graph/grouped';

export interface PlannedUpload {
  readonly local: LocalMedia;
  /** Read once, so that exactly what was checked is sent. */
  readonly bytes: Uint8Array;
  /** SHA-256 (hex) of the bytes: what one server has is not sent to it again. */
  readonly hash: string;
  readonly name: string;
  readonly inputs: readonly PreparedMedia[];
}

type PreparedPlaces = Pick<PreparedRun, 'media' | 'places'>;

/** Rejects media names that lead out of the workspace, unless the server itself lists them. */
export function refuseOutsideMedia({ media, places }: PreparedPlaces): RunRefusal | undefined {
  const outside = media.filter(({ fileName, listed }) => !listed && leadsOutside(fileName));
  const [first] = outside;
  if (!first) return undefined;
  const findings = outside.map(({ nodeId, input }): Finding => {
    const { offset, length } = places.of(nodeId, input) ?? places.start;
    const message = outsideWords(nodeId);
    return { code: 'file-outside-workspace', severity: 'error', nodeId, input, offset, length, message };
  });
  return createRunRefusal(
    'mediaOutside',
    outsideWords(first.nodeId),
    t`Move the file next to the workflow and use a relative path without “..”.`,
    findings[0],
    findings,
  );
}

function outsideWords(nodeId: string): string {
  return t`Node ${nodeId} uses a path that may lead outside the workspace, so the file isn't read.`;
}

export interface UploadLookup {
  readonly localMedia: (name: string) => Promise<LocalMedia | undefined>;
  /** The largest file that the server accepts, in bytes; undefined if unknown. */
  readonly mostBytes: () => Promise<number | undefined>;
  /** Leave out what may not be sent instead of refusing the run. */
  readonly force?: boolean | undefined;
}

/**
 * The workspace files that the workflow needs on the server, equal content once. A file is sent only if its name and
 * its content are of the kind that the input accepts; any other refuses the run, unless the server lists one of that
 * name.
 */
export async function planUploads(
  { media, places }: PreparedPlaces,
  lookup: UploadLookup,
): Promise<PlannedUpload[] | RunRefusal> {
  const planned = new Map<string, PlannedUpload>();
  for (const [name, inputs] of groupByKey(media, ({ fileName }) => fileName)) {
    if (leadsOutside(name)) continue;
    const local = await lookup.localMedia(name);
    if (!local) continue;
    const isSkipped = lookup.force === true || inputs.every(({ listed }) => listed);
    const misnamed = inputs.find(({ kind }) => !isNameOfKind(kind, name));
    if (misnamed && isSkipped) continue;
    if (misnamed) return refuseKind(misnamed, places);
    const most = Math.min((await lookup.mostBytes()) ?? Infinity, budgets.uploadFile);
    if (local.size > most) return refuseLarge(name, inputs, places, local.size, most);
    const bytes = await local.bytes();
    const unlike = inputs.find(({ kind }) => !isContentOfKind(kind, name, bytes));
    if (unlike && isSkipped) continue;
    if (unlike) return refuseKind(unlike, places);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const key = memoryKey(hash, name);
    const same = planned.get(key);
    planned.set(key, {
      local: same?.local ?? local,
      bytes,
      hash,
      name: same?.name ?? name,
      inputs: same ? [...same.inputs, ...inputs] : inputs,
    });
  }
  return [...planned.values()];
}

function refuseKind(
  { nodeId, input, fileName, kind }: PreparedMedia,
  places: PreparedPlaces['places'],
): RunRefusal {
  return createRunRefusal(
    'mediaNotSent',
    t`Node ${nodeId} takes ${kindWords()[kind]}, so ${fileName} wasn't uploaded.`,
    t`Choose another file.`,
    places.of(nodeId, input),
  );
}

function refuseLarge(
  name: string,
  [first]: readonly PreparedMedia[],
  places: PreparedPlaces['places'],
  size: number,
  most: number,
): RunRefusal {
  const megabytes = (bytes: number): string => (bytes / (1024 * 1024)).toFixed(1);
  return createRunRefusal(
    'mediaTooLarge',
    t`${name} is ${megabytes(size)} MB; the upload limit is ${megabytes(most)} MB.`,
    t`Make the file smaller, or raise the limit on the server.`,
    first && places.of(first.nodeId, first.input),
  );
}

export function uploadedFile(
  memory: UploadMemory,
  { hash, name }: Pick<PlannedUpload, 'hash' | 'name'>,
): UploadedFile | undefined {
  return memory.get(memoryKey(hash, name));
}

/** Uploads what the server does not have yet; returns the edits that put the server's names into the workflow. */
export async function uploadMedia(
  planned: readonly PlannedUpload[],
  client: Pick<ExecutionClient, 'uploadImage'>,
  memory: UploadMemory,
  onUpload: (name: string, index: number, count: number) => void,
  signal: AbortSignal,
): Promise<TextEdit[]> {
  const count = planned.filter((each) => uploadedFile(memory, each) === undefined).length;
  let index = 0;
  const edits: TextEdit[] = [];
  for (const upload of planned) {
    let file = uploadedFile(memory, upload);
    if (file === undefined) {
      onUpload(upload.name, ++index, count);
      const filename = upload.name.split(/[/\\]/).at(-1) ?? upload.name;
      const answer = await client.uploadImage({ filename, bytes: upload.bytes }, signal);
      file = { value: workflowValue(answer), asset: answer.asset };
      memory.set(memoryKey(upload.hash, upload.name), file);
    }
    const { value } = file;
    const text = JSON.stringify(value);
    for (const { valueNode, value: present } of upload.inputs) {
      if (present !== value) edits.push(replaceValue(valueNode, text));
    }
  }
  return edits;
}

/** The server may have lost the files of nodes that it complains about. Returns whether there was one. */
export function forgetRefused(
  memory: UploadMemory,
  reused: readonly PlannedUpload[],
  nodeIds: ReadonlySet<string>,
): boolean {
  const reusedByThem = reused.filter(({ inputs }) => inputs.some(({ nodeId }) => nodeIds.has(nodeId)));
  for (const { hash, name } of reusedByThem) memory.delete(memoryKey(hash, name));
  return reusedByThem.length > 0;
}

/** How a workflow names an uploaded file (protocol 1.3). */
export function workflowValue({ name, subfolder, type }: UploadAnswer): string {
  const path = subfolder === '' ? name : `${subfolder}/${name}`;
  return type === 'input' || type === '' ? path : `${path} [${type}]`;
}

function memoryKey(hash: string, name: string): string {
  const ending = /\.[^./\\]+$/.exec(name)?.[0] ?? '';
  return `${hash}${ending.toLowerCase()}`;
}
