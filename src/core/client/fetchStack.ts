import type { FormPart, HttpAnswer, HttpInit, HttpStack } from './httpStack';

/** The classes of one HTTP implementation: another one's form would be sent as the text `[object FormData]`. */
export interface FetchClasses {
  readonly fetch: (url: string, init: FetchInit) => Promise<HttpAnswer>;
  readonly FormData: new () => {
    append(name: string, value: string): void;
    append(name: string, value: Blob, filename: string): void;
  };
  readonly Blob: new (parts: Uint8Array<ArrayBuffer>[], options?: { type?: string }) => Blob;
}

export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: never;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export function fetchStack(classes: FetchClasses): HttpStack {
  return {
    fetch: (url: string, init: HttpInit) =>
      classes.fetch(url, { ...init, headers: { ...init.headers } } as FetchInit),
    form(parts: readonly FormPart[]): unknown {
      const form = new classes.FormData();
      for (const part of parts) {
        if ('text' in part) form.append(part.name, part.text);
        else form.append(part.name, blobOf(classes, part.bytes, part.mime), part.filename);
      }
      return form;
    },
  };
}

function blobOf(classes: FetchClasses, bytes: Uint8Array, mime: string | undefined): Blob {
  // A copy: the bytes may be a view on a pooled or shared buffer.
  return new classes.Blob([new Uint8Array(bytes)], mime === undefined ? {} : { type: mime });
}
