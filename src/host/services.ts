import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { JobStore } from '../core/jobs/jobStore';
import { JobArchive } from './jobs/jobArchive';
import { resumeJob } from './jobs/resumeJob';
import { OutputPlaces } from './jobs/outputPlace';
import { OutputSaver } from './jobs/outputSaver';
import { SavedOutputs } from './jobs/savedOutputs';
import { Log } from './platform/log';
import { Storage } from './platform/storage';
import { Consent } from './runs/consent';
import { EndNotice } from './runs/endNotice';
import { RunDiagnostics } from './runs/runDiagnostics';
import { RunEnds } from './runs/runEnds';
import { SubmittedRuns } from './runs/submittedRuns';
import { Keys } from './servers/keys';
import { SandboxHost } from './servers/sandboxHost';
import { Servers } from './servers/servers';
import { Sessions } from './servers/sessions';
import { StatusItem } from './servers/statusItem';

/** What the features stand on: one of each per window. */
export interface Services {
  readonly log: Log;
  readonly storage: Storage;
  /** Names in the storage of what is remembered for this workspace. */
  readonly jobFileName: string;
  readonly outputFileName: string;
  readonly musicFileName: string;
  readonly musicKeys: Keys;
  readonly store: JobStore;
  readonly servers: Servers;
  /** Tokens for reviews in node registries, apart from the keys of servers. */
  readonly registryTokens: Keys;
  readonly statusItem: StatusItem;
  readonly places: OutputPlaces;
  readonly saved: SavedOutputs;
  readonly saver: OutputSaver;
  readonly submitted: SubmittedRuns;
  readonly consent: Consent;
  readonly diagnostics: RunDiagnostics;
  readonly ends: RunEnds;
  readonly archive: JobArchive;
  /** Writes what has to be kept and lets go of servers and sandbox. */
  close(): Promise<void>;
}

export function buildServices(context: vscode.ExtensionContext): Services {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const log = own(new Log());
  const store = new JobStore();
  const keys = own(new Keys(context.secrets, log));
  const sandbox = own(new SandboxHost(log));
  const sessions = own(new Sessions(store, keys, log));
  const servers = own(new Servers(keys, sandbox, sessions));

  const storage = new Storage(context.globalStorageUri);
  const workspace = workspaceName();
  const jobFileName = `jobs-${workspace}.json`;
  const outputFileName = `outputs-${workspace}.json`;
  const musicFileName = `music-${workspace}.json`;
  const saved = own(new SavedOutputs(storage, outputFileName));
  const submitted = new SubmittedRuns(storage);
  const places = new OutputPlaces();
  const saver = new OutputSaver(submitted, places, saved);
  const diagnostics = own(new RunDiagnostics());
  const ends = own(new RunEnds(saver, diagnostics, own(new EndNotice()), log));

  const archive = own(
    new JobArchive({
      store,
      memory: {
        load: async () => (await jobFile()).load(),
        save: async (jobs) => (await jobFile()).save(jobs),
      },
      workspaceState: context.workspaceState,
      loadRest: () => saved.load(),
      resume: (job) => resumeJob(job, { servers, store, ends }),
    }),
  );
  async function jobFile() {
    const { JobFile } = await import('./jobs/jobFile');
    return new JobFile(storage, jobFileName);
  }

  return {
    log,
    storage,
    jobFileName,
    outputFileName,
    musicFileName,
    musicKeys: own(new Keys(context.secrets, log, 'comfyDeck.musicKey:')),
    store,
    servers,
    registryTokens: own(new Keys(context.secrets, log, 'comfyDeck.registryToken:')),
    statusItem: own(new StatusItem()),
    places,
    saved,
    saver,
    submitted,
    consent: new Consent(context.workspaceState),
    diagnostics,
    ends,
    archive,
    async close() {
      await Promise.allSettled([archive.close(), sessions.closeAll()]);
      await sandbox.stop();
    },
  };
}

/** Two windows never share a workspace, so a file per workspace has one writer. */
function workspaceName(): string {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const identity = (workspaceFile ?? workspaceFolders?.[0]?.uri)?.toString() ?? 'none';
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}
