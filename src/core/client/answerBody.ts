import { ByteCollector } from '../protocol/ndjson';
import { ServerError } from '../protocol/serverError';
import { t } from '../safety/localize';
import { sizeText } from '../safety/sizeText';
import { orAborted } from './timing';

/** Length of the body from its header; undefined if missing or if the body is compressed. */
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
  readonly total?: number | undefined;
  readonly onBytes?: ((received: number, total: number | undefined) => void) | undefined;
  /** Read what fits instead of failing: enough for an error message. */
  readonly cut?: boolean | undefined;
}

export async function readText(body: ReadableStream<Uint8Array> | null, limits: BodyLimits): Promise<string> {
  return new TextDecoder().decode(await readBytes(body, limits));
}

/** The entire body. Throws `ServerError` `tooLarge` beyond the limit, without reading the rest. */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  limits: BodyLimits,
): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
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
      throw new ServerError(
        t`${t`The response to ${limits.endpoint}`} is larger than ${sizeText(limits.maxBytes)}, so it wasn't read.`,
        {
          reason: 'tooLarge',
          endpoint: limits.endpoint,
          nextAction: t`Check that the address is that of a ComfyUI server.`,
        },
      );
    }
  } finally {
    // Ends the transfer if the body was not read completely; otherwise harmless.
    reader.cancel().catch(() => undefined);
  }
  return collected.take();
}
