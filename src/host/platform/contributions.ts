/**
 * Every name that package.json contributes and the code uses, once. `npm run check` compares these tables with the
 * manifest.
 */
export const commands = {
  run: 'comfyDeck.run',
  runWithNewSeeds: 'comfyDeck.runWithNewSeeds',
  runNext: 'comfyDeck.runNext',
  runTimes: 'comfyDeck.runTimes',
  turnOnRunOnSave: 'comfyDeck.turnOnRunOnSave',
  turnOffRunOnSave: 'comfyDeck.turnOffRunOnSave',
  uploadMask: 'comfyDeck.uploadMask',
  openSample: 'comfyDeck.openSample',
  openExample: 'comfyDeck.openExample',
  selectServer: 'comfyDeck.selectServer',
  addServer: 'comfyDeck.addServer',
  removeServer: 'comfyDeck.removeServer',
  signIn: 'comfyDeck.signIn',
  signOut: 'comfyDeck.signOut',
  checkConnection: 'comfyDeck.checkConnection',
  restartServer: 'comfyDeck.restartServer',
  startSandbox: 'comfyDeck.startSandbox',
  stopSandbox: 'comfyDeck.stopSandbox',
  runToHere: 'comfyDeck.runToHere',
  showPrompt: 'comfyDeck.showPrompt',
  exportApi: 'comfyDeck.exportApi',
  convertToApi: 'comfyDeck.convertToApi',
  openFromPicture: 'comfyDeck.openFromPicture',
  refreshDefinitions: 'comfyDeck.refreshDefinitions',
  suppressCheck: 'comfyDeck.suppressCheck',
  chooseFile: 'comfyDeck.chooseFile',
  missingModels: 'comfyDeck.missingModels',
  goToNode: 'comfyDeck.goToNode',
  compareWorkflows: 'comfyDeck.compareWorkflows',
  showGraph: 'comfyDeck.showGraph',
  showInGraph: 'comfyDeck.showInGraph',
  graphEdit: 'comfyDeck.graph.edit',
  graphResetValue: 'comfyDeck.graph.resetValue',
  graphGoToText: 'comfyDeck.graph.goToText',
  graphMute: 'comfyDeck.graph.mute',
  graphUnmute: 'comfyDeck.graph.unmute',
  graphBypass: 'comfyDeck.graph.bypass',
  graphRemoveBypass: 'comfyDeck.graph.removeBypass',
  graphNewSeed: 'comfyDeck.graph.newSeed',
  graphOpenSubgraph: 'comfyDeck.graph.openSubgraph',
  graphQuickFix: 'comfyDeck.graph.quickFix',
  graphOpenImage: 'comfyDeck.graph.openImage',
  graphRevealImage: 'comfyDeck.graph.revealImage',
  graphCopyImage: 'comfyDeck.graph.copyImage',
  graphFit: 'comfyDeck.graph.fit',
  graphFind: 'comfyDeck.graph.find',
  showJobs: 'comfyDeck.showJobs',
  showLog: 'comfyDeck.showLog',
  openAccount: 'comfyDeck.openAccount',
  openWalkthrough: 'comfyDeck.openWalkthrough',
  openPreview: 'comfyDeck.openPreview',
  runBatch: 'comfyDeck.runBatch',
  showBatch: 'comfyDeck.batch.show',
  pauseBatch: 'comfyDeck.batch.pause',
  resumeBatch: 'comfyDeck.batch.resume',
  cancelBatch: 'comfyDeck.batch.cancel',
  retryBatch: 'comfyDeck.batch.retryFailed',
  revealBatch: 'comfyDeck.batch.revealOutputs',
  removeBatch: 'comfyDeck.batch.remove',
  openGallery: 'comfyDeck.gallery.open',
  useSeed: 'comfyDeck.gallery.useSeed',
  useValues: 'comfyDeck.gallery.useValues',
  openOutput: 'comfyDeck.output.open',
  openOutputToSide: 'comfyDeck.output.openToSide',
  showOutputRun: 'comfyDeck.output.showRun',
  useOutputSeed: 'comfyDeck.output.useSeed',
  useOutputValues: 'comfyDeck.output.useValues',
  copyOutputImage: 'comfyDeck.output.copyImage',
  copyOutputPath: 'comfyDeck.output.copyPath',
  revealOutput: 'comfyDeck.output.reveal',
  favoriteOutput: 'comfyDeck.output.favorite',
  compareOutputs: 'comfyDeck.output.compare',
  exportOutputs: 'comfyDeck.output.export',
  deleteOutputs: 'comfyDeck.output.delete',
  runFromPreview: 'comfyDeck.runFromPreview',
  showBatchForm: 'comfyDeck.showBatchForm',
  openBatch: 'comfyDeck.openBatch',
  refreshJobs: 'comfyDeck.jobs.refresh',
  cancelJobs: 'comfyDeck.jobs.cancel',
  cancelPending: 'comfyDeck.jobs.cancelPending',
  interrupt: 'comfyDeck.jobs.interrupt',
  runAgain: 'comfyDeck.jobs.runAgain',
  runAgainWithNewSeeds: 'comfyDeck.jobs.runAgainWithNewSeeds',
  openRow: 'comfyDeck.jobs.openRow',
  openOutputs: 'comfyDeck.jobs.openOutputs',
  revealOutputs: 'comfyDeck.jobs.revealOutputs',
  saveOutputs: 'comfyDeck.jobs.saveOutputs',
  saveOwed: 'comfyDeck.jobs.saveOwed',
  forgetOwed: 'comfyDeck.jobs.forgetOwed',
  dismissOwed: 'comfyDeck.jobs.dismiss',
  showError: 'comfyDeck.jobs.showError',
  previewJob: 'comfyDeck.jobs.preview',
  runLostAgain: 'comfyDeck.jobs.runLostAgain',
  openJobWorkflow: 'comfyDeck.jobs.openWorkflow',
  runJobWith: 'comfyDeck.jobs.runWith',
  copyJobId: 'comfyDeck.jobs.copyId',
  removeJobs: 'comfyDeck.jobs.remove',
  removeFinished: 'comfyDeck.jobs.removeFinished',
  showAllJobs: 'comfyDeck.jobs.showAll',
  showMyJobs: 'comfyDeck.jobs.showMine',
  groupByDay: 'comfyDeck.jobs.groupByDay',
  groupByWorkflow: 'comfyDeck.jobs.groupByWorkflow',
  showRun: 'comfyDeck.records.showRun',
  runRecordAgain: 'comfyDeck.records.runAgain',
  runRecordWithNewSeeds: 'comfyDeck.records.runWithNewSeeds',
  runRecordWith: 'comfyDeck.records.runWith',
  compareRecord: 'comfyDeck.records.compareWith',
  pruneRuns: 'comfyDeck.records.prune',
  openRecordWorkflow: 'comfyDeck.records.openWorkflow',
  openRecordAsText: 'comfyDeck.records.openAsText',
  revealRecordOutputs: 'comfyDeck.records.revealOutputs',
  findPack: 'comfyDeck.registry.findPack',
  missingPacks: 'comfyDeck.registry.missingPacks',
  reviewPack: 'comfyDeck.registry.review',
  showPack: 'comfyDeck.registry.showPack',
  copyInstall: 'comfyDeck.registry.copyInstall',
  installPack: 'comfyDeck.registry.install',
  showPackOf: 'comfyDeck.registry.showPackOf',
  registrySignOut: 'comfyDeck.registry.signOut',
  openMusic: 'comfyDeck.music.open',
  selectMusicService: 'comfyDeck.music.selectService',
  signInToMusic: 'comfyDeck.music.signIn',
  signOutOfMusic: 'comfyDeck.music.signOut',
} as const;

export type CommandId = (typeof commands)[keyof typeof commands];

export const views = {
  container: 'comfyDeck',
  jobs: 'comfyDeck.jobs',
} as const;

export const webviewPanels = {
  preview: 'comfyDeck.preview',
  pack: 'comfyDeck.pack',
  music: 'comfyDeck.music',
  gallery: 'comfyDeck.gallery',
  batchForm: 'comfyDeck.batchForm',
  batchSheet: 'comfyDeck.batchSheet',
  differences: 'comfyDeck.differences',
} as const;

export const customEditors = {
  graph: 'comfyDeck.graph',
  runRecord: 'comfyDeck.runRecord',
  startedBatch: 'comfyDeck.startedBatch',
} as const;

export type CustomEditorId = (typeof customEditors)[keyof typeof customEditors];

export const walkthroughs = {
  start: 'comfyDeck.start',
} as const;

export const settings = {
  servers: 'comfyDeck.servers',
  server: 'comfyDeck.server',
  runOnSave: 'comfyDeck.runOnSave',
  outputFolder: 'comfyDeck.outputFolder',
  saveTemporaryOutputs: 'comfyDeck.saveTemporaryOutputs',
  keepInputs: 'comfyDeck.keepInputs',
  notifyWhenDone: 'comfyDeck.notifyWhenDone',
  openPreviewOnRun: 'comfyDeck.openPreviewOnRun',
  checkSeverity: 'comfyDeck.checks.severity',
  suppressedChecks: 'comfyDeck.checks.suppress',
  codeLenses: 'comfyDeck.codeLenses',
  registry: 'comfyDeck.registry',
  musicService: 'comfyDeck.musicService',
} as const;

export type SettingId = (typeof settings)[keyof typeof settings];

/** Keys read by `when` clauses in the manifest and written with `setContext`. */
export const contextKeys = {
  activeIsWorkflow: 'comfyDeck.activeIsWorkflow',
  /** `on`, `paused` or `off`, in this workspace. */
  runOnSave: 'comfyDeck.runOnSave',
  /** It is a graph, which can be converted to a prompt. */
  activeIsGraph: 'comfyDeck.activeIsGraph',
  /** It needs models that the server lacks. */
  missesModels: 'comfyDeck.missesModels',
  /** A `ServerStatus` kind: which welcome text shows. */
  serverStatus: 'comfyDeck.serverStatus',
  /** The current server accepts a key. */
  canSignIn: 'comfyDeck.canSignIn',
  /** The current server is a ComfyUI server: it can run a job next, and ComfyUI-Manager may be able to restart it. */
  canRestart: 'comfyDeck.canRestart',
  /** A key is stored for the current server. */
  signedIn: 'comfyDeck.signedIn',
  sandboxRunning: 'comfyDeck.sandboxRunning',
  /** The user has own servers in the settings. */
  hasOwnServers: 'comfyDeck.hasOwnServers',
  /** Runs with new seeds wait for their turn. */
  /** The rows of the Jobs view have been read: until then, nobody knows that there are none. */
  jobsListed: 'comfyDeck.jobsListed',
  hasPendingJobs: 'comfyDeck.hasPendingJobs',
  hasRunningJobs: 'comfyDeck.hasRunningJobs',
  hasFinishedJobs: 'comfyDeck.hasFinishedJobs',
  /** What has happened in this window: each completes a step of the walkthrough. */
  ranToTheEnd: 'comfyDeck.ranToTheEnd',
  jobsShown: 'comfyDeck.jobsShown',
  findingShown: 'comfyDeck.findingShown',
  completionOffered: 'comfyDeck.completionOffered',
  packShown: 'comfyDeck.packShown',
  musicMade: 'comfyDeck.musicMade',
  runsCompared: 'comfyDeck.runsCompared',
  /** The Jobs view shows other people's jobs too. */
  showsAllJobs: 'comfyDeck.showsAllJobs',
  /** The Jobs view groups ended jobs by workflow, not by day. */
  groupsByWorkflow: 'comfyDeck.groupsByWorkflow',
} as const;

export type ContextKeyId = (typeof contextKeys)[keyof typeof contextKeys];

/** Scheme of the read-only documents: error reports, prompts of graph files. */
export const documentScheme = 'comfy-deck';
