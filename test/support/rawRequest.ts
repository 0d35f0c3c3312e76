import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A request with every header set by the caller, even those that `fetch` reserves. */
export function rawRequest(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  body: string | Buffer = '',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, 'Content-Length': Buffer.byteLength(body) } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const type = (response.headers['content-type'] ?? '').split(';')[0] ?? '';
        resolve({
          status: response.statusCode ?? 0,
          type,
          headers: response.headers,
          body: Buffer.concat(chunks),
        });
      });
    });
    sent.end(body);
  });
}
