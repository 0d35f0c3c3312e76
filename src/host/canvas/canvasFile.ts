import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { budgets } from '../../core/safety/budgets';
import type { PageSettings } from './pageSettings';
import { boundedBody } from './upstream';
import type { UserFileRequest } from './userFiles';

/** The file of a canvas, which its page takes for a workflow stored on the server. */
export interface CanvasFile {
  /** As the page lists it. */
  readonly name: string;
  /** Ms since the epoch. */
  readonly modified: number;
  readonly settings: PageSettings;
  /** The text that the page loads now. */
  read(): string;
  /** @throws Error with a sentence for the user */
  save(state: string): Promise<void>;
  /** Writes a new file. Returns the name that it has. @throws Error with a sentence for the user */
  saveAs(name: string, state: string): Promise<string>;
  /** Runs the prompt of a request, and answers as the server does. */
  run(body: string): Promise<Answer>;
  /** What the server says to the page by its socket. */
  heard(frame: Uint8Array): void;
  /** A page shows the list of stored workflows. */
  listShown(): void;
  /** A page asks to rename or to delete the file. */
  refuse(): void;
  /** A page has connected; the last one counts. */
  connect(page: WebSocket): void;
}

/** An answer of our own. */
export interface Answer {
  readonly status?: number;
  readonly type: string;
  readonly body: Uint8Array;
}

/** Answers for the workflows alone, of which there is one. */
export async function answerUserFile(
  file: CanvasFile,
  request: IncomingMessage,
  asked: Exclude<UserFileRequest, { readonly kind: 'foreign' }>,
  params: URLSearchParams,
): Promise<Answer> {
  switch (asked.kind) {
    case 'list':
      return jsonAnswer([asked.hasInfo ? fileInfo(file, file.name, file.read()) : file.name]);
    case 'read':
      return asked.name === file.name
        ? { type: 'application/json', body: Buffer.from(file.read()) }
        : textAnswer(404);
    case 'write': {
      const state = Buffer.from(await boundedBody(request, budgets.canvasText)).toString('utf8');
      try {
        let { name } = file;
        if (asked.name === name) await file.save(state);
        else name = await file.saveAs(asked.name, state);
        const path = `workflows/${name}`;
        return jsonAnswer(params.get('full_info') === 'true' ? fileInfo(file, path, state) : path);
      } catch (error) {
        return textAnswer(500, error instanceof Error ? error.message : undefined);
      }
    }
    case 'change':
      file.refuse();
      return textAnswer(403);
    case 'bookmarks':
      if (request.method === 'POST') return jsonAnswer('workflows/.index.json');
      file.listShown();
      return textAnswer(404);
    case 'missing':
      return textAnswer(404);
    case 'forbidden':
      return textAnswer(403);
  }
}

/** What a server says of a file. */
function fileInfo({ modified }: CanvasFile, path: string, text: string): object {
  return { path, size: Buffer.byteLength(text), modified, created: modified };
}

export function jsonAnswer(value: unknown): Answer {
  return { type: 'application/json; charset=utf-8', body: Buffer.from(JSON.stringify(value)) };
}

export function textAnswer(status: number, text = ''): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: Buffer.from(text) };
}
