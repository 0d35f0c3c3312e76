import type * as vscode from 'vscode';
import { JobStore } from '../core/jobs/jobStore';
import { RunStore } from '../core/runLife/runStore';
import { BatchFeature } from './batch/batchFeature';
import { windowBatches, type BatchList } from './batch/batchList';
import { BatchSection } from './batch/batchSection';
import { CanvasFeature } from './canvas/canvasFeature';
import { GalleryFeature } from './gallery/galleryFeature';
import { GraphFeature } from './graph/graphFeature';
import { JobCommands } from './jobs/jobCommands';
import { JobItems } from './jobs/jobItems';
import { JobSection } from './jobs/jobSection';
import { JobsFeature } from './jobs/jobsFeature';
import { JobTree } from './jobs/jobTree';
import { OwedSection } from './jobs/owedSection';
import { RunDifferences } from './jobs/runDifferences';
import { TooltipPictures } from './jobs/tooltipPictures';
import { JobsShown } from './jobs/jobsShown';
import { LanguageFeature } from './language/languageFeature';
import { LargeFileStatus } from './language/largeFileStatus';
import { PastedWorkflow } from './language/pastedWorkflow';
import { MusicFeature } from './music/musicFeature';
import type { Feature } from './platform/feature';
import { Platform } from './platform/platform';
import { PreviewFeature } from './preview/previewFeature';
import { RecordFeature } from './records/recordFeature';
import { RegistryFeature } from './registry/registryFeature';
import { Consent } from './runs/consent';
import { ActiveWorkflow, RunFeature } from './runs/runFeature';
import { RunOnSave } from './runs/runOnSave';
import { RunRetry } from './runs/runRetry';
import { Runs } from './runs/runs';
import { WindowRuns } from './runs/windowRuns';
import { ServerFeature } from './servers/serverFeature';
import { Servers } from './servers/servers';
import { StatusFeature } from './servers/statusFeature';
import { StatusItem } from './servers/statusItem';
import { TasksFeature } from './tasks/tasksFeature';

/** The objects of a window, in the order in which they are made: each is given those before it that it needs. */
export class Window {
  readonly platform: Platform;
  readonly servers: Servers;
  readonly windowRuns: WindowRuns;
  readonly runs: Runs;
  readonly batches: BatchList;
  readonly retry: RunRetry;

  constructor(context: vscode.ExtensionContext) {
    const platform = new Platform(context);
    const { log, sight } = platform;
    const store = new JobStore();
    const known = new RunStore(store);
    const servers = platform.own(new Servers(platform, store, known));
    const windowRuns = platform.own(new WindowRuns(platform, servers, store, known));
    const consent = new Consent(context.workspaceState);
    this.platform = platform;
    this.servers = servers;
    this.windowRuns = windowRuns;
    this.runs = platform.own(new Runs(platform, windowRuns, consent));
    this.batches = platform.own(windowBatches({ log, sight, windowRuns, consent }, context.workspaceState));
    this.retry = new RunRetry(windowRuns, log);
  }

  /** Each feature registers itself, in no particular order. */
  features(): readonly Feature[] {
    const { platform, servers, windowRuns, runs, batches } = this;
    const { log } = platform;
    const { store, pointers, folders, places } = windowRuns;
    const item = platform.own(new StatusItem());
    const jobsShown = platform.own(new JobsShown(platform));
    const pictures = new TooltipPictures(platform.thumbnailFolder);
    platform.own(pictures.watch(servers.sessions, windowRuns.runs, log));
    const differences = platform.own(new RunDifferences(folders, log));
    const items = new JobItems(windowRuns, jobsShown, differences, pictures);
    const section = new JobSection(windowRuns, items, jobsShown, batches);
    const tree = new JobTree([new OwedSection(pointers), new BatchSection(batches, items), section]);
    const jobs = new JobsFeature(platform, windowRuns, section, tree, item);
    const language = new LanguageFeature(platform, runs);
    const gallery = new GalleryFeature(platform, windowRuns, batches);
    return [
      new ServerFeature(servers, log),
      new StatusFeature(servers, store, item, batches),
      new RunFeature(platform, runs, item),
      new ActiveWorkflow(item),
      language,
      new TasksFeature(runs, batches, language),
      new LargeFileStatus(log),
      new RunOnSave(platform, runs),
      new PastedWorkflow(log),
      jobs,
      jobsShown,
      new JobCommands(platform, runs, jobs),
      this.retry,
      new PreviewFeature(platform, runs),
      new RecordFeature(platform, runs, () => language.catalog(), gallery),
      new RegistryFeature(platform, servers),
      new MusicFeature(platform, servers, places),
      gallery,
      new BatchFeature(platform, windowRuns, batches, language),
      new GraphFeature(platform, windowRuns, batches, language),
      new CanvasFeature(platform, runs),
    ];
  }

  async close(): Promise<void> {
    const { servers, batches, platform } = this;
    // Before the sessions: otherwise it would try to send its next rows.
    await batches.close().catch((error: unknown) => platform.log.error('Leaving the batches', error));
    await Promise.allSettled([servers.sessions.closeAll(), this.windowRuns.close()]);
    await servers.sandbox.stop();
  }
}
