import type { OutputFile } from '../protocol/outputFile';
import { ServerError } from '../protocol/serverError';
import { contentLength, isCompressed } from './answerBody';
import { streamFile } from './streamFile';
import type { StreamAnswer, Transport } from './transport';
import { bodyAfterBytes } from './watchedBody';
import { t } from '../safety/localize';

export interface ViewOptions {
  readonly signal?: AbortSignal | undefined;
  readonly offset?: number | undefined;
  /** Largest edge in pixels (64 to 1024) of a small picture instead of the file; cloud only, ignored elsewhere. */
  readonly thumbnail?: number | undefined;
}

export interface ViewAnswer {
  /** Starts at `offset`, even if the server sent the entire file again. */
  readonly body: ReadableStream<Uint8Array>;
  readonly size?: number | undefined;
  readonly mime?: string | undefined;
  readonly version?: string | undefined;
  readonly resumable: boolean;
}

const path = '/api/view';
const endpoint = `GET ${path}`;

/** One output file (protocol 1.7), streamed. A web page or an empty answer instead of a media file is an error. */
export async function viewOutput(
  transport: Transport,
  file: OutputFile,
  options: ViewOptions,
): Promise<ViewAnswer> {
  const { offset = 0 } = options;
  let answer = await ask(transport, file, options, offset);
  if (answer.status === 416) {
    // The file is shorter than what is on disk, so that is from another file.
    await answer.body.cancel().catch(() => undefined);
    answer = await ask(transport, file, options, 0);
  }
  const problem = mediaProblem(answer, file, offset);
  if (problem) {
    await answer.body.cancel().catch(() => undefined);
    throw problem;
  }
  const range = contentRange(answer);
  const begins = range?.start ?? 0;
  if (begins > offset) {
    await answer.body.cancel().catch(() => undefined);
    throw new ServerError(t`The server sent the wrong part of the file.`, {
      reason: 'unexpectedShape',
      endpoint,
    });
  }
  const compressed = isCompressed(answer.headers);
  if (compressed && range) {
    await answer.body.cancel().catch(() => undefined);
    throw unusable(t`The server compressed part of the file, so it can't be joined with the rest.`);
  }
  const size = range ? range.total : contentLength(answer.headers);
  const mime = answer.headers.get('content-type')?.split(';')[0]?.trim();
  return {
    body: bodyAfterBytes(answer.body, offset - begins),
    resumable: !compressed && (range !== undefined || answer.headers.get('accept-ranges') === 'bytes'),
    size,
    mime: mime === '' ? undefined : mime,
    version: answer.headers.get('etag') ?? undefined,
  };
}

function ask(
  transport: Transport,
  file: OutputFile,
  options: ViewOptions,
  offset: number,
): Promise<StreamAnswer> {
  return streamFile(transport, {
    path,
    query: {
      // The server's name for it, even if that quotes a secret.
      filename: transport.quoted.restore(file.filename),
      subfolder: transport.quoted.restore(file.subfolder),
      type: transport.quoted.restore(file.area),
      res: options.thumbnail,
    },
    // Compressed bytes could be neither counted nor resumed.
    headers: { 'Accept-Encoding': 'identity', ...(offset > 0 ? { Range: `bytes=${offset}-` } : {}) },
    accepts: (status) => status === 416 && offset > 0,
    signal: options.signal,
  });
}

/** `bytes 100-199/200`; undefined when the answer is the entire file; no valid start if it is not specified. */
function contentRange(
  answer: StreamAnswer,
): { readonly start: number; readonly total: number | undefined } | undefined {
  if (answer.status !== 206) return undefined;
  const match = /^bytes (\d+)-\d*\/(\d+|\*)$/.exec(answer.headers.get('content-range') ?? '');
  if (!match) return { start: Infinity, total: undefined };
  const total = match[2];
  return { start: Number(match[1]), total: total === '*' ? undefined : Number(total) };
}

const webPages = /\.(html?|xhtml)$/i;

function mediaProblem(answer: StreamAnswer, file: OutputFile, offset: number): ServerError | undefined {
  const mime = answer.headers.get('content-type') ?? '';
  if (/\bx?html\b/i.test(mime) && !webPages.test(file.filename)) {
    return unusable(t`The server sent a web page instead of ${file.filename}.`);
  }
  const isMedia = file.media === 'image' || file.media === 'video' || file.media === 'audio';
  if (isMedia && /^application\/json\b/i.test(mime)) {
    return unusable(t`The server sent a message instead of the file.`);
  }
  if (offset === 0 && answer.status === 200 && contentLength(answer.headers) === 0) {
    return unusable(t`The server sent an empty file.`);
  }
  return undefined;
}

function unusable(message: string): ServerError {
  return new ServerError(message, {
    reason: 'unexpectedShape',
    endpoint,
    nextAction: t`Try again while the server still has the file. If it keeps failing, open the file on the server.`,
  });
}
