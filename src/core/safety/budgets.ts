/** The only table of limits. Reaching one is an error or a finding. Sizes are bytes, times are milliseconds. */
export const budgets = {
  /** One message in a notification, a row or a line of the terminal, in characters. */
  shownText: 1_000,
  /** One text in a hover or in the documentation of a proposal, in characters. */
  hoverText: 5_000,

  // Answers
  /** A body that is streamed, from its headers to its end, and one download with all its attempts. */
  streamTime: 12 * 3_600_000,

  // Jobs
  /** A frame of the event socket; beyond it the socket is closed. */
  socketFrame: 64 * 1024 * 1024,
  /** A text of the event socket; beyond it the message is not read. */
  socketText: 4 * 1024 * 1024,
  /** A picture on the event socket. */
  socketPicture: 32 * 1024 * 1024,
  nodesOfJob: 10_000,
  cancellation: 600_000,
  /** The queue's answer: every queued job with its full prompt. */
  queue: 16 * 1024 * 1024,
  /** The queue while the user waits for a cancellation that nothing else can confirm. */
  queueOnce: 256 * 1024 * 1024,
  jobsLookedFor: 8,
  /** Jobs of others that a window keeps of those that live, and of those that have ended. Our own are always kept. */
  foreignJobs: 1_000,
  /** Stored by a window for the next one: our ended jobs, output folders, and IDs of what was removed from a list. */
  keptJobs: 1_000,
  tracks: 2_000,
  taskFiles: 5_000,
  /** Files of one kind in the storage. Those untouched for this long belong to a workspace or a server that is gone. */
  storedFiles: 1_000,
  /** Definitions and recordings have megabytes each, and rented servers have a new address every day. */
  storedLargeFiles: 20,
  storedFileAge: 365 * 24 * 3_600_000,

  // Outputs
  outputFiles: 10_000,
  outputFileBytes: 64 * 2 ** 30,
  /** Outputs that are shown but not saved: all of a window, and one download. */
  temporaryBytes: 2 * 2 ** 30,
  temporaryTime: 600_000,
  /** Space that stays free on the disk while a large file is written. */
  diskReserve: 128 * 2 ** 20,
  /** Bytes after which the free disk space is checked again. */
  diskCheckEvery: 64 * 2 ** 20,
  /** An unfinished file into which nothing was written for so long belongs to no transfer any more. */
  unfinishedFileAge: 24 * 3_600_000,
  /** A run record: a maximum-size prompt and thousands of outputs. */
  runRecord: 64 * 1024 * 1024,
  /** The recorded part of a traceback, in characters. */
  recordedTraceback: 16_000,
  claim: 1024,

  // Gallery
  galleryRecords: 20_000,
  galleryOutputs: 50_000,

  // Canvas
  /** Texts kept for the undo of the ComfyUI page, which has 50 steps, and their characters. */
  canvasStates: 60,
  canvasHistory: 32 * 1024 * 1024,

  // Secrets
  /** Signed addresses that are remembered in order to be hidden, the newest, and spellings of secrets per server. */
  signedAddresses: 64,

  // JSON.
  /** Python's own parser gives up near a thousand levels; real files never come close. */
  jsonDepth: 900,
  /** Objects, lists and values of a file, record, batch or job. Real workflows have 40,000, node definitions 735,000. */
  fileValues: 1_000_000,
  workflowValues: 500_000,
  /** The same for an answer. */
  answerValues: 5_000_000,
  /** Members of an object that are all of one kind, such as jobs or seeds. */
  members: 100_000,
  /** Digits of an integer: Python, and so every ComfyUI server, rejects longer ones. */
  digits: 4_300,

  // Workflows in pictures, sounds, videos and models.
  /** One text in a file, and all that is read or inflated to find its workflows. */
  embeddedText: 64 * 1024 * 1024,
  /** Parts of one file: chunks, boxes, frames, pages. */
  fileParts: 200_000,

  // Graph files on the way to a prompt.
  /** Nodes of a graph with its subgraphs and group nodes expanded, once per use. */
  unfoldedNodes: 50_000,
  unfoldedInputs: 2_000_000,
  /** Their IDs, in characters. */
  unfoldedIds: 20_000_000,
  promptText: 100_000_000,
  /** The expansion of %Node.widget% in one text, in characters. */
  replacedText: 1_000_000,
  linkSteps: 5_000_000,
  /** Steps to find the links of nodes that broadcast, those of their regular expressions among them. */
  everywhereSteps: 100_000_000,

  // Workflow files.
  checkedNodes: 20_000,
  findings: 500,
  reportedFindings: 20_000,
  /** Characters compared per check to find similar names. */
  comparedLetters: 3_000_000,
  // Batches
  batchRows: 10_000,
  /** Jobs of a batch that a server has at a time. */
  batchWindow: 100,
  batchFile: 16 * 1024 * 1024,
  /** A started batch with all values, those of text files too. All that a window lists have no more together. */
  startedBatch: 64 * 1024 * 1024,
  // Tests of workflows
  /** An output that is read to compare what it contains; larger ones are compared by their hashes alone. */
  testedBytes: 256 * 2 ** 20,
  /** Pixels of a picture that is decoded for it, and of a picture that shows differences. */
  testedPixels: 40_000_000,
  differencePixels: 12_000_000,
  // Prices of nodes, computed from expressions of their server
  /** One text, in characters: of an input, or put together. */
  priceText: 100_000,
  priceNeedle: 200,
  priceCalls: 500,
  priceSteps: 50_000,
  // Node registry
  /** The banner or icon of a pack: bytes, and ms. */
  packPicture: 2 * 2 ** 20,
  packPictureTime: 5_000,
  // The ComfyUI page as an editor
  /** A workflow as the page writes it, and an answer of the server that is changed on its way to the page. */
  canvasText: 64 * 1024 * 1024,
  canvasAnswer: 16 * 1024 * 1024,
  /** Until a page shows its file; until it says what was typed, before a file is saved or run. */
  canvasStart: 30_000,
  canvasWait: 1_000,
  /** Until a tab of a browser has come back, or comes at all. */
  canvasReturn: 90_000,
  /** Time without a byte of the server. */
  canvasSilence: 600_000,
  /** Pages that are loaded at a time, besides those in sight: each takes about 200 MB. */
  loadedCanvases: 3,
  // Music
  musicTime: 1_200_000,
  /** Time of a generation without a byte. */
  musicSilence: 300_000,
  musicAfterEnd: 2_000,
  musicLineBytes: 24 * 2 ** 20,
  /** Lines of the stream, blank ones and those that are no music too. */
  musicLines: 200_000,
  /** Tracks of one generation. */
  musicStreams: 100,
  /** All that the service sends for one generation, the music among it. */
  musicStreamBytes: 128 * 2 ** 20,
  // Submitting a workflow
  /** One local file that is uploaded: it is read into memory to be judged. */
  uploadFile: 1024 ** 3,
  /** One call of Git: its time, the commits that it lists, and the bytes of its answer. */
  gitTime: 15_000,
  gitCommits: 200,
  gitHistory: 1024 * 1024,
  gitFile: 100 * 1024 * 1024,
  /** Waits that a server may request before it accepts a submission, in number and in total. */
  submissionWaits: 5,
  submissionWait: 600_000,
  /** Looking for the job of a lost answer: on this machine, elsewhere, and after an error answer of the server itself. */
  lookOutHere: 30_000,
  lookOut: 120_000,
  lookOutAnswered: 6_000,
  /** Looking for it while there is a new, unidentified job that may be the one. */
  longestLookOut: 1_800_000,
  /** After this time a submission no longer arrives: a server that responds and has no job of it never will. */
  latestArrival: 600_000,
  /** A server of one's own lists its jobs at once, and a late one costs nothing. */
  latestFreeArrival: 10_000,
  /** How long a server may be unreachable before a command or a batch stops waiting for it, awake: a restart takes less. */
  serverAway: 120_000,
} as const;
