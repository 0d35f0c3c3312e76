import { createHash } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { JobStore } from '../core/jobs/jobStore';
import type { RunSession } from '../core/runLife/runSession';
import { JobsShown } from './jobs/treeGroups';
import { OutputPlaces } from './outputs/outputPlace';
import { PointerStore } from './ledger/pointerStore';
import { WindowLedger } from './ledger/windowLedger';
import { StorageTrouble } from './platform/storageTrouble';
import { SavedOutputs } from './outputs/savedOutputs';
import { Secrets } from '../core/safety/secrets';
import { Log } from './platform/log';
import { tellProblem } from './platform/problems';
import { hideWhereShown } from './platform/shownSecrets';
import { Storage, WriterFiles } from './platform/storage';
import { TemporaryOutputs } from './outputs/temporaryOutputs';
import { windowBatches, type BatchList } from './batch/batchList';
import { Consent } from './runs/consent';
import { InSight } from './platform/inSight';
import { EndNotice, RunEnds } from './runs/endNotice';
import { RunAnswers } from './runs/runAnswers';
import { RunDiagnostics } from './runs/runDiagnostics';
import { RunRetry } from './runs/runRetry';
import { WindowRuns } from './runs/windowRuns';
import type { ClientIds } from './servers/clientIds';
import { Keys } from './servers/keys';
import { SandboxHost } from './servers/sandboxHost';
import { ServerFeature } from './servers/serverFeature';
import { ServerNames } from './servers/knownServers';
import { Servers } from './servers/servers';
import { Sessions } from './servers/sessions';
import { StatusItem } from './servers/statusItem';

/** One of each exists per window. */
export interface Services {
  /** Every key, token and signed address used in this window, hidden wherever it is quoted. */
  readonly secrets: Secrets;
  readonly log: Log;
  readonly storage: Storage;
  readonly musicFileName: string;
  readonly musicKeys: Keys;
  readonly store: JobStore;
  readonly servers: Servers;
  readonly serverFeature: ServerFeature;
  /** A session of the selected server, after asking for what is missing; undefined when cancelled. */
  readonly readySession: () => Promise<RunSession | undefined>;
  readonly registryTokens: Keys;
  readonly statusItem: StatusItem;
  readonly places: OutputPlaces;
  readonly saved: SavedOutputs;
  readonly temporary: TemporaryOutputs;
  /** All windows share the thumbnails. */
  readonly thumbnailFolder: string;
  readonly pointers: PointerStore;
  readonly consent: Consent;
  readonly ends: RunEnds;
  readonly sight: InSight;
  readonly ledger: WindowLedger;
  readonly ready: () => Promise<void>;
  readonly jobsShown: JobsShown;
  readonly windowRuns: WindowRuns;
  readonly retry: RunRetry;
  readonly answers: RunAnswers;
  readonly batches: BatchList;
  close(): Promise<void>;
}

export function buildServices(context: vscode.ExtensionContext): Services {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const secrets = new Secrets();
  hideWhereShown(secrets);
  const log = own(new Log(secrets));
  const store = new JobStore();
  const keys = own(new Keys(context.secrets, secrets));
  const sandbox = own(new SandboxHost(log));
  const storage = new Storage(context.globalStorageUri, secrets);
  const workspace = workspaceName();
  let clientIds: ClientIds | undefined;
  async function clientIdOf(origin: string): Promise<string> {
    const { ClientIds } = await import('./servers/clientIds');
    return (clientIds ??= new ClientIds(storage, workspace)).of(origin);
  }
  const sessions = own(new Sessions(store, keys, log, secrets, clientIdOf));
  const servers = own(new Servers(keys, sandbox, sessions, own(new ServerNames(store))));

  const musicFileName = `music-${workspace}.json`;
  const trouble = new StorageTrouble(log);
  const saved = own(new SavedOutputs());
  const places = new OutputPlaces();
  const pointers = own(new PointerStore(storage, trouble));
  const temporary = own(new TemporaryOutputs(context.globalStorageUri));
  const diagnostics = own(new RunDiagnostics());
  const sight = new InSight();
  const notice = own(new EndNotice((error) => tellProblem(error, log), sight));
  const ends = new RunEnds(diagnostics, notice, log);
  const windowRuns = own(new WindowRuns({ pointers, servers, places, saved, temporary, log, ends }));

  const list = new WriterFiles(storage, `list-${workspace}.json`);
  const ledger = own(
    new WindowLedger({
      store,
      saved,
      places,
      pointers,
      log,
      trouble,
      list: {
        write: (text) => list.write(text),
        read: () => {
          // If this fails, what was stored is still used.
          void import('./jobs/pruneStorage')
            .then(({ pruneStorage }) => pruneStorage(storage, Date.now()))
            .catch(() => undefined);
          return list.read();
        },
      },
    }),
  );
  const ready = (): Promise<void> => ledger.whenListed();
  const consent = new Consent(context.workspaceState);
  const serverFeature = new ServerFeature(servers, log);
  const readySession = (): Promise<RunSession | undefined> => serverFeature.readySession();
  const batches = own(
    windowBatches(
      { log, store, servers, places, saved, consent, windowRuns, readySession, ready, sight },
      context.workspaceState,
    ),
  );
  const retry = new RunRetry({ pointers, servers, store, windowRuns, log });
  return {
    secrets,
    log,
    storage,
    musicFileName,
    musicKeys: own(new Keys(context.secrets, secrets, 'comfyDeck.musicKey:')),
    store,
    servers,
    serverFeature,
    readySession,
    registryTokens: own(new Keys(context.secrets, secrets, 'comfyDeck.registryToken:')),
    statusItem: own(new StatusItem()),
    places,
    saved,
    temporary,
    thumbnailFolder: path.join(context.globalStorageUri.fsPath, 'thumbnails'),
    pointers,
    consent,
    ends,
    sight,
    ledger,
    ready,
    jobsShown: own(new JobsShown(context.workspaceState, log)),
    windowRuns,
    retry,
    answers: own(new RunAnswers(diagnostics, servers)),
    batches,
    async close() {
      // Before the sessions: otherwise it would try to send its next rows.
      await batches.close().catch((error: unknown) => log.error('Leaving the batches', error));
      const sockets = sessions.closeAll().then(() => clientIds?.leave());
      await Promise.allSettled([ledger.close(), sockets, windowRuns.close(), temporary.close()]);
      await sandbox.stop();
    },
  };
}

/** Windows with the same folder, or none, share what is stored for it: see `WriterFiles`. */
function workspaceName(): string {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const identity = (workspaceFile ?? workspaceFolders?.[0]?.uri)?.toString() ?? 'none';
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}
