import type { Job } from '../core/jobs/job';
import { BatchFeature } from './batch/batchFeature';
import { ErrorReports } from './jobs/errorReport';
import { BatchSection } from './batch/batchSection';
import { GalleryFeature } from './gallery/galleryFeature';
import { JobCommands, jobIdOf } from './jobs/jobCommands';
import { JobSection } from './jobs/jobSection';
import { JobTree } from './jobs/jobTree';
import { JobsFeature } from './jobs/jobsFeature';
import { RunDifferences } from './jobs/runDifferences';
import { RunsElsewhere } from './jobs/runsElsewhere';
import { SmallPictures } from './jobs/smallPictures';
import { isOurs } from './jobs/treeGroups';
import { LanguageFeature } from './language/languageFeature';
import { LargeFileStatus } from './language/largeFileStatus';
import { PastedWorkflow } from './language/pastedWorkflow';
import { OwedSection } from './jobs/owedSection';
import { MusicFeature } from './music/musicFeature';
import { setContext } from './platform/contextKeys';
import { contextKeys } from './platform/contributions';
import type { Feature } from './platform/feature';
import { PreviewFeature } from './preview/previewFeature';
import { OutputRuns, RecordFeature } from './records/recordFeature';
import { RegistryFeature } from './registry/registryFeature';
import { ActiveWorkflow, RunFeature, UploadFeature } from './runs/runFeature';
import { RunOnSave } from './runs/runOnSave';
import { Runs } from './runs/runs';
import { StatusFeature } from './servers/statusFeature';
import type { Services } from './services';
import { taskCommands, TasksFeature } from './tasks/tasksFeature';
import { t } from '../core/safety/localize';

/** All features, in no particular order: each registers itself. */
export function buildFeatures(services: Services): Feature[] {
  const { log, store, servers, pointers, ledger, statusItem } = services;
  const { jobsShown, batches, saved, ready } = services;
  const wake = (): void => statusItem.wake();

  const runs = new Runs(services);
  const reports = new ErrorReports(store, (origin) => servers.nameOf(origin));
  const rows = new JobSection({
    ...services,
    hasRow: (job) => batches.holds(job),
    details: (job) => servers.details(job),
    silenceOf: (origin) => servers.sessions.silenceOf(origin),
    foreignServer: (origin) => {
      const name = servers.nameOf(origin);
      return servers.isCurrent(origin) || name === servers.current()?.name ? undefined : name;
    },
    differences: (job, before) => differences.of(job, before),
    choice: () => jobsShown.choice,
    thumbnail: (jobId, file) => thumbnails.of(jobId, file),
    named: (job) => {
      const known = elsewhere.of(job);
      return known ? { job: elsewhere.named(job), sentFrom: sentFrom()[known.from] } : { job };
    },
  });
  const tree = new JobTree([new OwedSection(pointers), new BatchSection(batches, rows), rows], () =>
    setContext(contextKeys.jobsListed, true),
  );
  const thumbnails = new SmallPictures(services.thumbnailFolder, (id) => rows.refresh([id]));
  const differences = new RunDifferences({ ledger, log, onKnown: (id) => rows.refresh([id]) });
  const elsewhere = new RunsElsewhere({ ...services, onKnown: (ids) => rows.refresh(ids) });
  const named = (job: Job): Job => elsewhere.named(job);
  const isShown = (job: Job): boolean => jobsShown.choice.all || isOurs(named(job));
  const jobCommands = new JobCommands({ ...services, runs, reports, elsewhere, isShown });
  const jobs = new JobsFeature({
    ...services,
    rows,
    tree,
    jobCommands,
    reports,
    isShown,
    owned: [differences, elsewhere, thumbnails.watch(servers.sessions, saved, log)],
    onSeen: wake,
  });
  const language = new LanguageFeature(services, runs);
  const preview = new PreviewFeature(services, ready, named, jobIdOf);
  const gallery = new GalleryFeature(services);
  return [
    services.serverFeature,
    new StatusFeature(servers, store, statusItem),
    new RunFeature(runs, log, wake),
    new UploadFeature(log, servers, services.readySession),
    new ActiveWorkflow(wake),
    language,
    new TasksFeature(taskCommands({ ...services, runs }, language), ready),
    new LargeFileStatus(log),
    new RunOnSave(services, runs),
    new PastedWorkflow(log),
    jobs,
    services.retry,
    preview,
    new RecordFeature(log, servers, runs, () => language.catalog()),
    new OutputRuns(services, (records) => gallery.compare(records)),
    new RegistryFeature({ ...services, tokens: services.registryTokens }),
    new MusicFeature(services),
    gallery,
    new BatchFeature(services, language),
  ];
}

const sentFrom = () => ({ window: t`from another window`, record: t`recorded in this workspace` }) as const;
