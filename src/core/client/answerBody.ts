import { ServerError } from '../protocol/serverError';
import { orAborted } from './timing';

/** Bytes that a header tells of the body; undefined where it is missing or speaks of compressed bytes. */
export function contentLength(headers: { get(name: string): string | null }): number | undefined {
  const text = headers.get('content-length');
  const coding = headers.get('content-encoding');
  if (text === null || !/^\d+$/.test(text) || (coding !== null && coding !== 'identity')) return undefined;
  return Number(text);
}

export interface BodyLimits {
  readonly endpoint: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Length by the header, for `onBytes`. */
  readonly total?: number | undefined;
  readonly onBytes?: ((received: number, total: number | undefined) => void) | undefined;
  /** Take what fits instead of refusing: enough for the words of an error. */
  readonly cut?: boolean | undefined;
}

/** The whole body as text. Throws `ServerError` `tooLarge` beyond the limit; the rest is not read then. */
export async function readText(body: ReadableStream<Uint8Array> | null, limits: BodyLimits): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let received = 0;
  try {
    for (;;) {
      const { done, value } = await orAborted(reader.read(), limits.signal);
      if (done) break;
      received += value.byteLength;
      chunks.push(value);
      limits.onBytes?.(received, limits.total);
      if (received <= limits.maxBytes) continue;
      if (limits.cut) break;
      throw new ServerError(`The answer is larger than ${sizeText(limits.maxBytes)}.`, {
        reason: 'tooLarge',
        endpoint: limits.endpoint,
        nextAction: 'Check that the address belongs to a ComfyUI server.',
      });
    }
  } finally {
    // Ends the transfer where the body was not read to its end; harmless where it was.
    reader.cancel().catch(() => undefined);
  }
  const bytes = joined(chunks, Math.min(received, limits.maxBytes));
  return new TextDecoder().decode(bytes);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(0, length - at);
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

function sizeText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024 / 1024)} MB`;
}
