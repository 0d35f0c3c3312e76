import type { FormPart, HttpAnswer, HttpInit, HttpStack } from '../../core/client/httpStack';

/** The extension host's own `fetch`, which carries VS Code's proxy and certificate settings. */
export const hostHttpStack: HttpStack = {
  async fetch(url: string, init: HttpInit): Promise<HttpAnswer> {
    const { body, ...rest } = init;
    return fetch(url, body === undefined ? rest : { ...rest, body: body as BodyInit });
  },
  form(parts: readonly FormPart[]): unknown {
    const form = new FormData();
    for (const part of parts) {
      if ('text' in part) form.append(part.name, part.text);
      else form.append(part.name, blobOf(part.bytes, part.mime), part.filename);
    }
    return form;
  },
};

function blobOf(bytes: Uint8Array, mime?: string): Blob {
  // A copy on a plain ArrayBuffer: the bytes may be a view on a shared or pooled one.
  return new Blob([new Uint8Array(bytes)], mime === undefined ? {} : { type: mime });
}
