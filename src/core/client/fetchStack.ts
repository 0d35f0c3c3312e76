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
    form: (parts) => multipartForm(parts, classes),
  };
}

export function multipartForm(
  parts: readonly FormPart[],
  { FormData, Blob }: Pick<FetchClasses, 'FormData' | 'Blob'>,
): unknown {
  const form = new FormData();
  for (const part of parts) {
    if ('text' in part) form.append(part.name, part.text);
    else {
      const type = part.mime === undefined ? {} : { type: part.mime };
      // A copy: the bytes may be a view on a pooled or shared buffer.
      form.append(part.name, new Blob([new Uint8Array(part.bytes)], type), part.filename);
    }
  }
  return form;
}
