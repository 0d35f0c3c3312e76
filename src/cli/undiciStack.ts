// Importing all of undici would double the code, and the rest is unused.
import Agent from 'undici/lib/dispatcher/agent.js';
import { FormData } from 'undici/lib/web/fetch/formdata.js';
import { fetch } from 'undici/lib/web/fetch/index.js';
import { fetchStack } from '../core/client/fetchStack';
import type { HttpStack } from '../core/client/httpStack';

/** Has its own connections and leaves the global ones alone. The client has its own timeouts, so undici's are off. */
export function undiciStack(): HttpStack & { close(): Promise<void> } {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } });
  const stack = fetchStack({
    fetch: async (url, init) => {
      const { status, headers, body } = await fetch(url, { ...init, dispatcher: agent });
      return { status, headers, body: body as ReadableStream<Uint8Array> | null };
    },
    FormData,
    Blob,
  });
  return { ...stack, close: () => agent.destroy() };
}
