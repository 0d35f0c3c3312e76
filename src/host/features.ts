import * as vscode from 'vscode';
import { BatchFeature } from './batch/batchFeature';
import { ErrorReports } from './jobs/errorReport';
import { BatchSection } from './batch/batchSection';
import { GalleryFeature } from './gallery/galleryFeature';
import { graphFeature } from './graph/graphFeature';
import {
  againCommands,
  JobCommands,
  argumentJobId,
  listCommands,
  outputCommands,
  reportCommands,
  stopCommands,
} from './jobs/jobCommands';
import { JobItems } from './jobs/jobItems';
import { JobSection } from './jobs/jobSection';
import { JobTree } from './jobs/jobTree';
import { JobsFeature } from './jobs/jobsFeature';
import { RunDifferences } from './jobs/runDifferences';
import { RunsElsewhere } from './jobs/runsElsewhere';
import { TooltipPictures } from './jobs/tooltipPictures';
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
import { ActiveWorkflow, RunFeature } from './runs/runFeature';
import { RunOnSave } from './runs/runOnSave';
import { Runs } from './runs/runs';
import { StatusFeature } from './servers/statusFeature';
import type { Services } from './services';
import { taskCommands, TasksFeature } from './tasks/tasksFeature';

/** All features, in no particular order: each registers itself. */
export function buildFeatures(
  services: Services,
  { subscriptions }: Pick<vscode.ExtensionContext, 'subscriptions'>,
): Feature[] {
  const { log, store, servers, pointers, ledger, statusItem } = services;
  const { jobsShown, batches, saved, temporary, ready } = services;
  const wake = (): void => statusItem.wake();

  const runs = new Runs(services);
  const reports = new ErrorReports(store, (origin) => servers.nameOf(origin));
  // Fires the IDs of jobs of which more became known.
  const found = new vscode.EventEmitter<readonly string[]>();
  const pictures = new TooltipPictures(services.thumbnailFolder);
  const differences = new RunDifferences(ledger, log, (id) => found.fire([id]));
  const elsewhere = new RunsElsewhere({ ...services, onKnown: (ids) => found.fire(ids) });
  const items = new JobItems(elsewhere, saved, temporary, servers, jobsShown, differences, pictures);
  const section = new JobSection(
    elsewhere,
    items,
    jobsShown,
    (job) => batches.holds(job),
    () => ledger.load(),
  );
  const tree = new JobTree([new OwedSection(pointers), new BatchSection(batches, items), section], () =>
    setContext(contextKeys.jobsListed, true),
  );
  const jobs = new JobsFeature(log, store, servers, section, tree, ledger, wake);
  const jobCommands = new JobCommands(log, elsewhere, ready, () => jobs.selection, [
    ...stopCommands(services, elsewhere),
    ...againCommands(services, runs),
    ...outputCommands(services),
    ...reportCommands(reports, servers, log),
    ...listCommands(services, (job) => section.shows(job)),
  ]);
  subscriptions.push(
    ...[differences, elsewhere, found, pictures.watch(servers.sessions, saved, log)],
    found.event((ids) => section.refresh(ids)),
    services.sight.add(() => jobs.isInSight),
  );
  const language = new LanguageFeature(services, runs);
  const preview = new PreviewFeature(services, ready, (job) => elsewhere.named(job), argumentJobId);
  const gallery = new GalleryFeature(services, (context) => services.batches.recordOf(context));
  return [
    services.serverFeature,
    new StatusFeature(servers, store, statusItem, batches),
    new RunFeature(services, runs, wake),
    new ActiveWorkflow(wake),
    language,
    new TasksFeature(taskCommands({ ...services, runs }, language), ready),
    new LargeFileStatus(log),
    new RunOnSave(services, runs),
    new PastedWorkflow(log),
    jobs,
    jobsShown,
    jobCommands,
    reports,
    services.retry,
    preview,
    new RecordFeature(log, servers, runs, () => language.catalog()),
    new OutputRuns(services, (records) => gallery.compare(records)),
    new RegistryFeature({ ...services, tokens: services.registryTokens }),
    new MusicFeature(services),
    gallery,
    new BatchFeature(services, language),
    graphFeature(services, (job) => elsewhere.named(job), language),
  ];
}
