import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxRunEvent, RunResult, RunClock } from './execution/runRequest';
import { runPrompt } from './execution/promptRun';
import { plainFrom } from '../core/json/exactValue';
import { writeExact } from '../core/json/exactWriter';
import type { PromptNodes } from './nodes/sandboxNode';
import { isCloud, type SandboxServer } from './sandboxServer';
import type { SandboxJob } from './queue/sandboxJob';
import { assetId, contentName, isArea } from './files/fileStore';

type PreviewPicture = Extract<SandboxRunEvent, { readonly kind: 'preview' }>;

const previewImage = 1;
const jpegFormat = 1;
const pngFormat = 2;
const textMessage = 3;
const previewWithMetadata = 4;

/** Binary type 1: a picture without the ids of its node and job (protocol 3.6). */
function plainPreviewFrame({ image }: PreviewPicture): Buffer {
  return Buffer.concat([uint32(previewImage), uint32(pngFormat), image]);
}

/** Type, format code, content, and no IDs (contract 6.2). */
function documentedFrame(shown: { readonly image: Uint8Array } | { readonly text: string }): Buffer {
  return 'text' in shown
    ? Buffer.concat([uint32(textMessage), uint32(jpegFormat), Buffer.from(shown.text, 'utf8')])
    : Buffer.concat([uint32(previewWithMetadata), uint32(pngFormat), shown.image]);
}

/** Binary type 4, with the IDs of its node and job. */
function previewFrame(preview: PreviewPicture): Buffer {
  const metadata = Buffer.from(
    JSON.stringify({
      node_id: preview.nodeId,
      prompt_id: preview.promptId,
      display_node_id: preview.displayNodeId,
      parent_node_id: preview.parentNodeId,
      real_node_id: preview.realNodeId,
      image_type: 'image/png',
    }),
  );
  return Buffer.concat([uint32(previewWithMetadata), uint32(metadata.byteLength), metadata, preview.image]);
}

/** Binary type 3: text that a node shows. */
function textFrame(nodeId: string, text: string): Buffer {
  const id = Buffer.from(nodeId, 'utf8');
  return Buffer.concat([uint32(textMessage), uint32(id.byteLength), id, Buffer.from(text, 'utf8')]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Events that go to everyone if the job was submitted without a client id (protocol 3.3). */
const broadcastWithoutClient = new Set(['progress', 'progress_state', 'execution_interrupted']);

const clock: RunClock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  },
};

type NodeNow = (job: SandboxJob, nodeId: string | undefined) => void;

/** Runs one job and notifies the clients; rejects if the job kills the worker. */
export async function runJob(
  server: SandboxServer,
  job: SandboxJob,
  signal: AbortSignal,
  onNode: NodeNow,
): Promise<RunResult> {
  const speaker = new JobSpeaker(server, job, onNode);
  const pngInfo = plainFrom(job.extraData.get('extra_pnginfo') ?? null);
  const result = await runPrompt({
    promptId: job.id,
    prompt: plainFrom(job.prompt) as PromptNodes,
    promptText: writeExact(job.prompt),
    extraPnginfo:
      typeof pngInfo === 'object' && pngInfo !== null
        ? (pngInfo as Readonly<Record<string, unknown>>)
        : undefined,
    partnerKey: job.partnerKey,
    targets: job.targets,
    nodes: server.nodes,
    cache: server.cache(),
    files: server.files,
    signal,
    emit: (event) => speaker.hear(event),
    clock,
    timing: server.timing,
    previews: job.previews,
    missingNode: isCloud(server) ? 'fail' : 'hang',
  });
  return { ...result, outputs: mapValues(result.outputs, (record) => nameOutputs(server, record)) };
}

class JobSpeaker {
  #heldPreview: (() => void) | undefined;

  constructor(
    private readonly server: SandboxServer,
    private readonly job: SandboxJob,
    private readonly onNode: NodeNow,
  ) {}

  hear(event: SandboxRunEvent): void {
    const { sockets, dialect } = this.server;
    const { clientId } = this.job;
    if (event.kind !== 'message' && dialect === 'documented') {
      sockets.sendBinary(undefined, () => documentedFrame(event));
      return;
    }
    switch (event.kind) {
      case 'message':
        this.#say(event.type, event.data);
        return;
      case 'text':
        // Goes to everyone, whoever submitted (protocol 3.6).
        sockets.sendBinary(undefined, () => textFrame(event.nodeId, event.text));
        return;
      case 'preview':
        if (sockets.wantsMetadata(clientId)) sockets.sendBinary(clientId, () => previewFrame(event));
        // Without metadata the picture follows the progress message it belongs to.
        else this.#heldPreview = () => sockets.sendBinary(clientId, () => plainPreviewFrame(event));
    }
  }

  #say(type: string, data: Readonly<Record<string, unknown>>): void {
    const node = data['display_node'];
    if (type === 'executing') this.onNode(this.job, typeof node === 'string' ? node : undefined);
    const { clientId } = this.job;
    if (clientId !== undefined || isCloud(this.server) || broadcastWithoutClient.has(type)) {
      const record = type === 'executed' ? data['output'] : undefined;
      const named = isRecord(record) ? { ...data, output: nameOutputs(this.server, record) } : data;
      const told = this.server.dialect === 'documented' ? documentedData(type, named) : named;
      if (told) this.server.sockets.send(clientId, { type, data: told });
    }
    if (type !== 'progress') return;
    this.#heldPreview?.();
    this.#heldPreview = undefined;
  }
}

/** The documented fields of each message besides the id of its job (contract 6.1). */
const documentedFields: Readonly<Record<string, readonly string[]>> = {
  executing: ['node'],
  progress: ['value', 'max'],
  progress_state: ['nodes'],
  executed: ['node', 'output'],
  execution_cached: ['nodes'],
  execution_error: ['exception_type', 'exception_message', 'traceback'],
};

const documentedError =
  /^(?:Validation|ModelDownload|ImageDownload|OOM|InsufficientFunds|InactiveSubscription)Error$/;

/** Undefined for a message that the documented service wouldn't send. */
function documentedData(
  type: string,
  data: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const error = data['exception_type'];
  // Only nodes that made something are reported, and only errors that end the job.
  if ((type === 'executed' && !isRecord(data['output'])) || error === 'ExecutionBlocked') return undefined;
  const fields = ['prompt_id', ...(documentedFields[type] ?? [])];
  const told = Object.fromEntries(fields.map((name) => [name, data[name]]));
  if (typeof error === 'string' && !documentedError.test(error))
    told['exception_type'] = /OutOfMemory/.test(error) ? 'OOMError' : 'ValidationError';
  return told;
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

function isRecord(value: unknown): value is Readonly<Record<string, readonly unknown[]>> {
  return typeof value === 'object' && value !== null;
}

type OutputRecord = Readonly<Record<string, readonly unknown[]>>;

/** The cloud stores files by content (protocol 1.7). Only today's local server tells their kind (protocol 2.3, 3.5). */
function nameOutputs(server: SandboxServer, record: OutputRecord): OutputRecord {
  return mapValues(record, (items) =>
    Array.isArray(items) ? items.map((item: unknown) => nameItem(server, item)) : items,
  );
}

function nameItem(server: SandboxServer, item: unknown): unknown {
  if (!isFileItem(item) || !isArea(item.type)) return item;
  const { metadata, ...entry } = item;
  const file = { filename: item.filename, subfolder: item.subfolder, type: item.type };
  if (!isCloud(server)) {
    if (server.dialect === 'local-old') return entry;
    const id = assetId(file);
    return { ...item, id, ...(metadata?.kind === 'image' && { preview_id: id }) };
  }
  const bytes = server.files.read(file);
  if (!bytes) return item;
  const named = { ...file, filename: contentName(item.filename, bytes), subfolder: '' };
  server.files.write(named, bytes);
  return { ...entry, ...named, ...(server.dialect === 'cloud' ? { display_name: item.filename } : {}) };
}

interface FileItem {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
  readonly metadata?: { readonly kind: string };
}

function isFileItem(item: unknown): item is FileItem {
  return (
    typeof item === 'object' &&
    item !== null &&
    'filename' in item &&
    'subfolder' in item &&
    'type' in item &&
    [item.filename, item.subfolder, item.type].every((value) => typeof value === 'string')
  );
}
