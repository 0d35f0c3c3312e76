import { ByteCollector } from '../protocol/byteCollector';
import { ServerError } from '../protocol/serverError';
import { t } from '../safety/localize';
import { sizeText } from '../safety/sizeText';
import { orAborted } from './timing';

/** Bytes that a header tells of the body; undefined where it is missing or speaks of compressed bytes. */
export function contentLength(headers: { get(name: string): string | null }): number | undefined {
  const text = headers.get('content-length');
  if (text === null || !/^\d+$/.test(text) || isCompressed(headers)) return undefined;
  return Number(text);
}

export function isCompressed(headers: { get(name: string): string | null }): boolean {
  const coding = headers.get('content-encoding')?.trim() ?? '';
  return coding !== '' && coding.toLowerCase() !== 'identity';
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
  const collected = new ByteCollector();
  let received = 0;
  try {
    for (;;) {
      const { done, value } = await orAborted(reader.read(), limits.signal);
      if (done) break;
      received += value.byteLength;
      collected.push(value.subarray(0, limits.maxBytes - collected.length));
      limits.onBytes?.(received, limits.total);
      if (received <= limits.maxBytes) continue;
      if (limits.cut) break;
      throw new ServerError(t`The answer is larger than ${sizeText(limits.maxBytes)}.`, {
        reason: 'tooLarge',
        endpoint: limits.endpoint,
        nextAction: t`Check that the address is that of a ComfyUI server.`,
      });
    }
  } finally {
    // Ends the transfer where the body was not read to its end; harmless where it was.
    reader.cancel().catch(() => undefined);
  }
  return new TextDecoder().decode(collected.take());
}
