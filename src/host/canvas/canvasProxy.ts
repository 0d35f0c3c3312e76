import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { budgets } from '../../core/safety/budgets';
import { type Answer, answerUserFile, type CanvasFile, jsonAnswer, textAnswer } from './canvasFile';
import { isOverridden, type PageSettings, storedSettings } from './pageSettings';
import { type Admission, ProxyGuard } from './proxyGuard';
import { ownHeaders, redirectInside, requestHeaders, responseHeaders } from './proxyHeaders';
import { BodyBound, boundedBody, type Upstream } from './upstream';
import { decodedSegments, readUserFileRequest } from './userFiles';

/** Where our own answers are, below the prefix of a canvas. */
const modulePath = '/comfy-deck/page.js';
const socketPath = '/comfy-deck/socket';

/** Does nothing where the page may store: a browser that blocks storage in frames throws at the first look at it. */
const storageScript = `<script>(()=>{for(const name of['localStorage','sessionStorage'])try{window[name].length}catch{const kept=new Map();Object.defineProperty(window,name,{value:{getItem:(key)=>kept.get(String(key))??null,setItem(key,value){kept.set(String(key),String(value))},removeItem(key){kept.delete(String(key))},clear(){kept.clear()},key:(at)=>[...kept.keys()][at]??null,get length(){return kept.size}}})}})()</script>`;

/**
 * The page of one ComfyUI server for canvases of one window, on loopback. It answers for the file of the canvas, and
 * passes everything else on. It never logs an address: the secret is in it.
 */
export class CanvasProxy {
  readonly #canvases = new Map<string, CanvasFile>();
  readonly #guard = new ProxyGuard((canvas) => this.#canvases.has(canvas));
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: budgets.canvasText,
  });
  readonly #open = new Set<WebSocket>();
  #port = 0;

  /** @param module reads the script that binds a page to its file */
  constructor(
    private readonly upstream: Upstream,
    private readonly module: () => Promise<Uint8Array>,
  ) {
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => undefined);
      this.#upgrade(request, socket, head).catch(() => socket.destroy());
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#guard.allowHost(`127.0.0.1:${this.#port}`);
    this.#guard.allowHost(`localhost:${this.#port}`);
  }

  /** The address of a page on this machine. It contains the secret: it goes to VS Code and to our frame only. */
  addressOf(canvas: string): string {
    return `http://127.0.0.1:${this.#port}${this.#guard.prefixOf(canvas)}/`;
  }

  /** Leads a browser to the page once, within a minute: its address is seen by other programs on the way there. */
  ticketFor(canvas: string): string {
    return `http://127.0.0.1:${this.#port}/${this.#guard.addTicket(canvas)}`;
  }

  /** Accepts requests that come through a tunnel. */
  allowHost(host: string): void {
    this.#guard.allowHost(host);
  }

  add(canvas: string, file: CanvasFile): void {
    this.#canvases.set(canvas, file);
  }

  /** Whether no canvas is left. */
  remove(canvas: string): boolean {
    this.#canvases.delete(canvas);
    return this.#canvases.size === 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.terminate();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const admission = this.#guard.admit(request);
    if (admission.kind === 'moved') {
      response.writeHead(307, { ...ownHeaders, location: admission.to, 'content-length': '0' }).end();
      return;
    }
    const isInside = admission.kind === 'inside';
    const answer = isInside
      ? await this.#answerInside({ ...admission, request, response })
      : textAnswer(admission.status);
    if (answer) sendAnswer(response, answer);
  }

  /** Undefined for what the server has answered. */
  async #answerInside(inside: Inside): Promise<Answer | undefined> {
    const { request, response, canvas, path, query } = inside;
    const file = this.#canvases.get(canvas);
    const segments = decodedSegments(path);
    if (!file || segments.some(isDots)) return textAnswer(404);
    const { method = '' } = request;
    try {
      const params = new URLSearchParams(query);
      const userFile = readUserFileRequest(method, segments, params);
      if (userFile && userFile.kind !== 'foreign')
        return await answerUserFile(file, request, userFile, params);
      if (path === modulePath) return { type: 'text/javascript', body: await this.module() };
      const [first, ...rest] = segments[0] === 'api' ? segments.slice(1) : segments;
      if (first === 'prompt' && rest.length === 0 && method === 'POST') {
        const body = await boundedBody(request, budgets.canvasText);
        return await file.run(Buffer.from(body).toString('utf8'));
      }
      if (first === 'settings' && method === 'POST')
        return await this.#storeSettings(inside, file, rest.join('/'));
      if (first === 'settings' && rest.length === 0) {
        return await this.#patch(inside, (all) => ({ ...all, ...file.settings }));
      }
      if (first === 'extensions' && rest.length === 0) {
        return await this.#patch(inside, (all) => [...Object.values(all), modulePath]);
      }
      if (path === '/' && method === 'GET') return await this.#answerPage(inside);
      return await this.#passOn(inside);
    } catch (error) {
      if (error instanceof BodyBound) return textAnswer(413);
      if (!response.headersSent) return textAnswer(502);
      response.destroy();
      return undefined;
    }
  }

  /** Settings that we override are never stored; all others are the server's as usual. */
  async #storeSettings(inside: Inside, file: CanvasFile, id: string): Promise<Answer | undefined> {
    const body = await boundedBody(inside.request, budgets.canvasAnswer);
    if (id !== '') return isOverridden(id, file.settings) ? jsonAnswer(null) : this.#passOn(inside, body);
    const all = readObject(body);
    if (!all) return textAnswer(400);
    const stored = storedSettings(all, file.settings);
    if (Object.keys(stored).length === 0) return jsonAnswer(null);
    return this.#passOn(inside, Buffer.from(JSON.stringify(stored)));
  }

  /** What the server answers, changed. */
  async #patch(inside: Inside, change: (all: PageSettings) => unknown): Promise<Answer> {
    const { status, body } = await this.#fetch(inside);
    if (status !== 200) return textAnswer(status < 400 ? 502 : status);
    const all = readObject(body);
    return all ? jsonAnswer(change(all)) : textAnswer(502);
  }

  async #answerPage(inside: Inside): Promise<Answer> {
    const { status, body } = await this.#fetch(inside);
    if (status !== 200) return textAnswer(status < 400 ? 502 : status);
    const html = Buffer.from(body).toString('utf8');
    const head = /<head(?:\s[^>]*)?>/i.exec(html);
    const at = head ? head.index + head[0].length : 0;
    const page = `${html.slice(0, at)}${storageScript}${html.slice(at)}`;
    return { type: 'text/html; charset=utf-8', body: Buffer.from(page) };
  }

  async #fetch({ request, path, query }: Inside) {
    // What is changed here must come whole, and as it is; for several users, it depends on who asks.
    const { 'comfy-user': user } = request.headers;
    const headers = { 'accept-encoding': 'identity', ...(user !== undefined && { 'comfy-user': user }) };
    return this.upstream.fetch(path + query, headers);
  }

  /** @param body what was read of the request, perhaps changed */
  async #passOn(
    { request, response, path, query, canvas }: Inside,
    body?: Uint8Array,
  ): Promise<Answer | undefined> {
    const { upstream } = this;
    const { method = '' } = request;
    const headers = requestHeaders(request.headers);
    if (body) headers['content-length'] = String(body.byteLength);
    // Without a length, Node sends the body of some methods as it is, and the server would read it as further requests.
    else if (hasBody(request) && headers['content-length'] === undefined)
      headers['transfer-encoding'] = 'chunked';
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const answer = await upstream.send(method, path + query, headers, body ?? request, gone.signal);
    const { statusCode: status = 502 } = answer;
    const sent = responseHeaders(answer.headers, path);
    if (status >= 300 && status < 400 && status !== 304) {
      const prefix = this.#guard.prefixOf(canvas);
      const location = redirectInside(answer.headers.location, upstream.base + path, upstream.base, prefix);
      if (location === undefined) {
        answer.destroy();
        return textAnswer(502);
      }
      sent['location'] = location;
    }
    response.writeHead(status, sent);
    answer.on('error', () => response.destroy());
    answer.pipe(response);
    return undefined;
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const admission = this.#guard.admit(request, true);
    const file = admission.kind === 'inside' ? this.#canvases.get(admission.canvas) : undefined;
    if (admission.kind !== 'inside' || !file || decodedSegments(admission.path).some(isDots)) {
      refuseUpgrade(socket, 403);
      return;
    }
    const { path, query } = admission;
    const accept = (accepted: (page: WebSocket) => void): void =>
      this.#sockets.handleUpgrade(request, socket, head, (page) => {
        this.#open.add(page);
        page.on('close', () => this.#open.delete(page));
        page.on('error', () => page.terminate());
        accepted(page);
      });
    if (path === socketPath) {
      accept((page) => file.connect(page));
      return;
    }
    const there = await this.upstream.connect(path + query, requestHeaders(request.headers));
    if (!there) refuseUpgrade(socket, 502);
    else if (socket.destroyed) there.terminate();
    else {
      this.#open.add(there);
      there.on('close', () => this.#open.delete(there));
      accept((page) => {
        relay(page, there);
        relay(there, page);
        there.on('message', (data: Buffer) => file.heard(data));
        there.resume();
      });
    }
  }
}

type Inside = Extract<Admission, { readonly kind: 'inside' }> & {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
};

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

function relay(from: WebSocket, to: WebSocket): void {
  from.on('message', (data, isBinary) => {
    if (to.readyState !== WebSocket.OPEN) return;
    // A page that doesn't read must not fill the memory.
    if (to.bufferedAmount > budgets.socketFrame) to.terminate();
    else to.send(data, { binary: isBinary });
  });
  from.on('close', () => to.close());
}

function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function readObject(bytes: Uint8Array): PageSettings | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function isDots(part: string): boolean {
  return part === '.' || part === '..';
}

function sendAnswer(response: ServerResponse, { status = 200, type, body }: Answer): void {
  response.writeHead(status, {
    ...ownHeaders,
    'content-type': type,
    'content-length': String(body.byteLength),
    'cache-control': 'no-store',
    // What wasn't read of the request isn't read any more.
    ...(status !== 200 && { connection: 'close' }),
  });
  response.end(body);
}
