import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import {
  cloudMaxBodyBytes,
  type Dialect,
  isCloudDialect,
  localMaxBodyBytes,
  serverFeatures,
} from './dialect';
import { EventSockets } from './events/eventSockets';
import { ExecutionCache, RecentPromptsCache } from './execution/executionCache';
import { FileStore } from './files/fileStore';
import { type AnswerFirst, requestUrl } from './http/exchange';
import { musicLines } from './music/musicLines';
import { StorageOrigin } from './files/storageOrigin';
import { closeServer, listenOnLoopback, RequestGuard } from './http/requestGuard';
import { type ManagerKind, SandboxManager } from './registry/sandboxManager';
import { sandboxDefinitions, sandboxNodes } from './nodes/nodeSet';
import type { NodeDefinitionJson, SandboxNode } from './nodes/sandboxNode';
import { JobQueue, SubmissionCounter } from './queue/jobQueue';
import { runJob } from './runJob';
import type { SandboxJob } from './queue/sandboxJob';
import { PackStore } from './registry/packStore';
import { handleRequest } from './requestHandler';
import { RequestLog } from './http/requestLog';
import { type SandboxServer, sendQueueSize, isCloud, queueStatus } from './sandboxServer';

export interface SandboxOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** Loopback only; `127.0.0.1` by default. */
  readonly host?: string;
  readonly dialect?: Dialect | undefined;
  /** These replace the sandbox's own node types of the same name. */
  readonly nodes?: ReadonlyMap<string, SandboxNode>;
  /** `human`: a run takes long enough to watch. `fast`, the default, is for tests. */
  readonly timing?: 'fast' | 'human';
  /** Installs packs of the practice registry; local only. */
  readonly manager?: ManagerKind | undefined;
  /** Cloud only; no key is needed without it. */
  readonly apiKey?: string | undefined;
  /** How many jobs run at once; 1 by default, and always 1 locally, as on the real server. */
  readonly concurrency?: number;
  /** Previews without a request for them; by default on the cloud only (protocol 3.6). */
  readonly previews?: boolean;
  /** How many ended jobs to keep; 10,000 by default, as on the real server. */
  readonly historyLimit?: number;
  /** For a proxy on this machine: gets each address (also that of the storage host) and returns where it is reached. */
  readonly reachedAs?: (own: string) => Promise<string>;
  /** For tests: gets the server, whose parts it may replace, and returns what may answer each request first. */
  readonly intercept?: (server: SandboxServer) => AnswerFirst;
}

export interface Sandbox {
  readonly url: string;
  readonly dialect: Dialect;
  /** Origin of the storage host; cloud only. */
  readonly storageUrl?: string | undefined;
  readonly seen: RequestLog;
  readonly files: FileStore;
  close(): Promise<void>;
}

/** As recorded: the old server drops what the next prompt doesn't use; today's keeps results for 4 to 7 prompts. */
const cachePatience = { local: 4, 'local-old': 1 } as const;

/** Really runs prompts. @throws Error when the port is taken or the host is not this machine */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const dialect = options.dialect ?? 'cloud';
  let answerFirst: AnswerFirst = (exchange, answer) => answer(exchange);
  const seen = new RequestLog();
  const files = new FileStore();
  const guard = new RequestGuard();
  const storage = isCloudDialect(dialect)
    ? new StorageOrigin(files, seen, guard, (...asked) => answerFirst(...asked))
    : undefined;
  const concurrency = isCloudDialect(dialect) ? (options.concurrency ?? 1) : 1;
  const loaded = new Map(options.nodes);
  const nodes = new Map([...sandboxNodes(), ...loaded]);
  const packs = new PackStore();
  const timing = options.timing ?? 'fast';
  const manager =
    options.manager === undefined || isCloudDialect(dialect)
      ? undefined
      : new SandboxManager(options.manager, packs, timing);
  let definitions = nodeDefinitions(dialect, files, loaded);
  const newCache = (): ExecutionCache =>
    isCloudDialect(dialect) ? new ExecutionCache() : new RecentPromptsCache(cachePatience[dialect]);
  let cache = newCache();
  const nodeNow = new Map<string, { readonly job: SandboxJob; readonly nodeId: string }>();

  const sockets = new EventSockets({
    everythingToAll: isCloudDialect(dialect),
    features: () => serverFeatures(dialect, concurrency),
  });
  // Both forms are in use.
  const nodeAtEnd = dialect === 'documented' ? '' : null;
  const queue = new JobQueue({
    concurrency,
    now: () => server.now(),
    keepCancelled: isCloudDialect(dialect),
    historyLimit: options.historyLimit,
    run: (job, signal) => server.run(job, signal),
    onSubmitted: (job) => seen.addAccepted(job.id),
    onChange: () => sendQueueSize(server),
    onEnded: (job) => {
      if (cache instanceof RecentPromptsCache) cache.endRun();
      nodeNow.delete(job.id);
      if (job.clientId === undefined && !isCloudDialect(dialect)) return;
      sockets.send(job.clientId, { type: 'executing', data: { node: nodeAtEnd, prompt_id: job.id } });
    },
  });
  const server: SandboxServer = {
    dialect,
    apiKey: options.apiKey,
    concurrency,
    timing,
    maxBodyBytes: isCloudDialect(dialect) ? cloudMaxBodyBytes : localMaxBodyBytes,
    previews: options.previews ?? isCloudDialect(dialect),
    guard,
    files,
    nodes,
    definitions: () => definitions(),
    queue,
    now: () => Date.now(),
    run: (job, signal) =>
      runJob(server, job, signal, (running, nodeId) => {
        if (nodeId === undefined) nodeNow.delete(running.id);
        else nodeNow.set(running.id, { job: running, nodeId });
      }),
    makeMusic: musicLines,
    musicStreams: () => 1,
    counter: new SubmissionCounter(),
    cache: () => cache,
    forgetResults: () => {
      cache = newCache();
    },
    sockets,
    packs,
    manager,
    restart: () => {
      queue.forget();
      server.forgetResults();
      server.counter.reset();
      sockets.terminateAll();
    },
    loadPacks: () => {
      manager?.nodes().forEach((node) => {
        nodes.set(node.definition.name, node);
        loaded.set(node.definition.name, node);
      });
      definitions = nodeDefinitions(dialect, files, loaded);
      server.restart();
    },
    storage,
  };

  if (options.intercept) answerFirst = options.intercept(server);

  const http = createServer((request, response) => {
    void handleRequest(server, seen, answerFirst, request, response);
  });
  acceptSockets(http, server, seen, () => [...nodeNow.values()]);
  const close = async (): Promise<void> => {
    queue.close();
    sockets.terminateAll();
    await Promise.all([closeServer(http), storage?.close()]);
  };
  const reachedAs = async (own: string): Promise<string> => {
    if (!options.reachedAs) return own;
    const address = await options.reachedAs(own);
    guard.addAddress(address);
    return address;
  };
  let url: string;
  try {
    url = await reachedAs(await listenOnLoopback(http, options.port ?? 0, options.host));
    await storage?.listen(reachedAs);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, dialect, storageUrl: storage?.url, seen, files, close };
}

/** Made again only when the input files change, so that the same object means the same text. */
function nodeDefinitions(
  dialect: Dialect,
  files: FileStore,
  extra: ReadonlyMap<string, SandboxNode>,
): () => Definitions {
  const own = Object.fromEntries([...extra].map(([name, node]) => [name, node.definition]));
  let known: { readonly key: string; readonly definitions: Definitions };
  const make = (names: readonly string[]): typeof known.definitions => {
    const all = { ...sandboxDefinitions(names), ...own };
    return dialect === 'local-old' ? inOldWords(all) : all;
  };
  known = { key: '', definitions: make([]) };
  return () => {
    const names = [...files.names('input', '')].sort();
    const key = names.join('\n');
    if (key !== known.key) known = { key, definitions: make(names) };
    return known.definitions;
  };
}

type Definitions = Readonly<Record<string, NodeDefinitionJson>>;

const laterTypes = /^(?:\w*Loop|Loop[IPR]\w+|LoadLoraModel|VideoTrim)$/;
const laterMembers = ['is_input_list', 'has_intermediate_output'];

function inOldWords(definitions: Definitions): Definitions {
  const known = Object.entries(definitions).filter(([name]) => !laterTypes.test(name));
  const old = known.map(([name, definition]) => {
    const members = Object.entries(definition).filter(([member]) => !laterMembers.includes(member));
    return [name, Object.fromEntries(members)];
  });
  return Object.fromEntries(old) as Definitions;
}

type NodesNow = () => readonly { readonly job: SandboxJob; readonly nodeId: string }[];

/** At `/ws` and `/api/ws` (protocol 3.1). */
function acceptSockets(http: Server, server: SandboxServer, seen: RequestLog, nodesNow: NodesNow): void {
  const door = new WebSocketServer({ noServer: true, maxPayload: 16 * 2 ** 20 });
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (server.guard.isForeign(request)) {
      refuse(socket, '403 Forbidden');
      return;
    }
    const url = requestUrl(request);
    seen.add('server', request, url);
    const refusal = refusalOf(server, url);
    if (refusal !== undefined) {
      refuse(socket, refusal);
      return;
    }
    door.handleUpgrade(request, socket, head, (webSocket) => {
      server.sockets.add(webSocket, url.searchParams.get('clientId') ?? undefined, (clientId) =>
        greeting(server, clientId, nodesNow()),
      );
    });
  });
}

function refuse(socket: Duplex, status: string): void {
  // Node leaves the socket without an error listener, and a refused client may be gone by now.
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`, () => {
    socket.destroy();
  });
}

function refusalOf(server: SandboxServer, url: URL): string | undefined {
  const isStrict = server.dialect === 'documented';
  if (url.pathname !== '/ws' && (isStrict || url.pathname !== '/api/ws')) return '404 Not Found';
  const strangers = [...url.searchParams.keys()].filter((name) => name !== 'clientId' && name !== 'token');
  if (isStrict && strangers.length > 0) return '400 Bad Request';
  const isOpen = !isCloud(server) || server.apiKey === undefined;
  return isOpen || url.searchParams.get('token') === server.apiKey ? undefined : '401 Unauthorized';
}

/** `status`, then the node of the client's running job; nothing else is repeated (protocol 3.7). */
function greeting(
  server: SandboxServer,
  clientId: string,
  nodesNow: ReturnType<NodesNow>,
): readonly object[] {
  const status = queueStatus(server);
  if (isCloud(server)) return [{ type: 'status', data: status }];
  const own = nodesNow.filter(({ job }) => job.clientId === clientId);
  return [
    { type: 'status', data: { ...status, sid: clientId } },
    ...own.map(({ nodeId }) => ({ type: 'executing', data: { node: nodeId } })),
  ];
}
