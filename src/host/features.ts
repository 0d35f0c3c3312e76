import { serverOrigin } from './servers/knownServers';
import { ErrorReports } from './jobs/errorReport';
import { JobCommands, jobIdOf } from './jobs/jobCommands';
import { JobTree } from './jobs/jobTree';
import { JobsFeature } from './jobs/jobsFeature';
import { LanguageFeature } from './language/languageFeature';
import { PastedWorkflow } from './language/pastedWorkflow';
import { OwedFeature, owedItem, shownOwed } from './owed/owedFeature';
import { MusicFeature } from './music/musicFeature';
import type { Feature } from './platform/feature';
import { tellProblem } from './platform/problems';
import { PreviewFeature } from './preview/previewFeature';
import type { PreviewSources } from './preview/previewSources';
import { RegistryFeature } from './registry/registryFeature';
import { ActiveWorkflow } from './runs/activeWorkflow';
import { showNode } from './runs/showNode';
import { RunFeature } from './runs/runFeature';
import { RunOnSave } from './runs/runOnSave';
import { Runs } from './runs/runs';
import { ServerFeature } from './servers/serverFeature';
import { StatusFeature } from './servers/statusFeature';
import type { Services } from './services';

/** Everything that the user sees, in no particular order: each feature registers itself. */
export function buildFeatures(services: Services): Feature[] {
  const { log, store, servers, saved, saver, submitted, archive, statusItem, consent, ends, owed } = services;
  const wake = (): void => statusItem.wake();
  const ready = (): Promise<void> => archive.load();

  const serverFeature = new ServerFeature(servers, log);
  const runs = new Runs({ ...services, readySession: () => serverFeature.readySession() });
  const reports = new ErrorReports(store, (origin) => servers.nameOf(origin));
  const tree = new JobTree({
    store,
    saved,
    ready,
    owed: {
      entryIds: () => shownOwed(owed).map(({ id }) => id),
      item: (id) => {
        const entry = owed.list.get(id);
        return entry && owedItem(entry);
      },
    },
    details: (job) => servers.details(job),
    silenceOf: (origin) => servers.sessions.silenceOf(origin),
    foreignServer: (origin) => {
      const current = servers.current();
      return current && serverOrigin(current) === origin ? undefined : servers.nameOf(origin);
    },
  });
  const jobCommands = new JobCommands({
    log,
    store,
    servers,
    runs,
    submitted,
    saved,
    saver,
    reports,
    ends,
    ready,
  });
  const jobs = new JobsFeature({
    log,
    store,
    servers,
    archive,
    saved,
    owed: owed.list,
    tree,
    jobCommands,
    reports,
    onSeen: wake,
  });
  const preview = new PreviewFeature(log, () => previewSources(services, ready), jobIdOf);
  return [
    serverFeature,
    new StatusFeature(servers, store, statusItem),
    new RunFeature(runs, log, wake),
    new ActiveWorkflow(wake),
    new LanguageFeature(services, runs),
    new RunOnSave({ runs, consent, store, servers, owed, ready, log }),
    new PastedWorkflow(log),
    jobs,
    new OwedFeature({ owed, work: services.owedWork, log }),
    preview,
    new RegistryFeature({ ...services, tokens: services.registryTokens }),
    new MusicFeature({ ...services, sandbox: servers.sandbox }),
  ];
}

async function previewSources(services: Services, ready: () => Promise<void>): Promise<PreviewSources> {
  const { log, secrets, store, servers, saved, places } = services;
  await ready();
  return {
    secrets,
    jobs: store,
    onPreview: servers.sessions.onPreview,
    onDidSave: saved.onDidChange,
    savedOutput: (jobId, file) => saved.find(jobId, file),
    isSaving: (jobId) => saved.isSaving(jobId),
    outputFolders: () => [...places.expected(), ...saved.folders()],
    serverName: (origin) => servers.nameOf(origin),
    silenceOf: (origin) => servers.sessions.silenceOf(origin),
    onDidChangeSilence: servers.sessions.onDidChangeSilence,
    goToNode: async (jobId, nodeId) => {
      const job = store.get(jobId);
      if (job) await showNode(job, nodeId);
    },
    guard: (action) => {
      action().catch((error: unknown) => tellProblem(error, log));
    },
  };
}
