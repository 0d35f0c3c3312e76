/**
 * How much of what comes from outside is taken in: the one table of limits. Whoever reaches a limit says so with an
 * error or a finding of its own; nothing is cut in silence. Sizes are bytes, times are milliseconds.
 */
export const budgets = {
  /** One message in a notification, a row or a line of the terminal, in characters. */
  shownText: 1_000,
  /** One text in a hover or in the documentation of a proposal, in characters. */
  hoverText: 5_000,

  // Answers
  /** A body that is streamed, from its headers to its end. */
  streamTime: 12 * 3_600_000,

  // Jobs
  /** A frame of the event socket; beyond it the socket is closed. */
  socketFrame: 64 * 1024 * 1024,
  /** A text of the event socket; beyond it the message is not read. */
  socketText: 4 * 1024 * 1024,
  /** The same for a picture. */
  socketPicture: 32 * 1024 * 1024,
  /** Nodes of one job, and of one message about its progress. */
  nodesOfJob: 10_000,
  /** Ids in one request that takes jobs out of the queue. */
  jobsPerDeletion: 100,
  /** The answer with the queue: every job that waits, with its whole prompt. */
  queue: 16 * 1024 * 1024,
  /** The same where a person waits for a cancellation that nothing else can tell about. */
  queueOnce: 256 * 1024 * 1024,
  /** How long a queue beyond that is not asked for again. */
  queueTooLargePause: 5 * 60_000,
  /** A queue of this size is read whenever it is asked for. */
  smallQueue: 16 * 1024,
  /** What reading a queue may take on average: a large one is read that much less often. */
  queueBytesPerSecond: 100_000,
  /** Jobs that one poll asks about one by one. */
  jobsLookedFor: 8,
  /** Jobs of others that a window keeps: those that live and those that have ended. Our own are always kept. */
  foreignLiveJobs: 500,
  foreignEndedJobs: 1_000,
  /** Our jobs that have ended and are kept for the next window, and ids of jobs that were taken from the list. */
  keptJobs: 500,
  removedJobs: 1_000,
  /** Jobs whose saved outputs are remembered. */
  jobsWithSavedOutputs: 2_000,
  /** Tracks in the history of a workspace. */
  tracks: 2_000,
  /** Files in the storage: prompts that were sent, and what is remembered for each workspace and each server. */
  sentPrompts: 2_000,
  workspaces: 200,
  definitions: 20,
  /** After that time what nobody wrote anew is of a workspace or a server that is gone. */
  sentPromptAge: 180 * 24 * 3_600_000,
  workspaceAge: 365 * 24 * 3_600_000,

  // Outputs
  /** Files of one job that are saved at a time. */
  outputFiles: 10_000,
  /** One file. */
  outputFileBytes: 64 * 2 ** 30,
  /** All files of one job that are saved at a time. */
  outputJobBytes: 256 * 2 ** 30,
  /** One file whose answer was compressed though it was asked for as it is, inflated. */
  outputInflatedBytes: 2 ** 30,
  /** Outputs that are shown and not kept: files of one job, one file, all of a window, one download. */
  temporaryFiles: 500,
  temporaryFileBytes: 2 ** 30,
  temporaryBytes: 2 * 2 ** 30,
  temporaryTime: 600_000,
  /** Outputs that are saved wait no longer for one that is looked at and not saved, in ms. */
  temporaryHeadStart: 3_000,
  /** So much stays free on the disk while a large file is written. */
  diskReserve: 128 * 2 ** 20,
  /** Bytes after which the disk is asked again what it has left. */
  diskCheckEvery: 64 * 2 ** 20,
  /** Bytes that an attempt at a download must bring to count as progress. */
  resumeProgress: 64 * 2 ** 10,
  /** Attempts at one download after the first. */
  resumes: 100,
  /** One download with all its attempts. */
  downloadTime: 12 * 3_600_000,
  /** Bytes per second that a download must bring on average, once it has had `slowStart`. */
  slowestDownload: 1_024,
  slowStart: 600_000,
  /** A redirect of a download to a storage: so many in a row. */
  downloadRedirects: 1,
  /** An unfinished file into which nothing was written for so long belongs to no transfer any more. */
  unfinishedFileAge: 24 * 3_600_000,
  /** A run record: a prompt of the largest kind and thousands of outputs. */
  runRecord: 64 * 1024 * 1024,
  /** Its objects, lists and values: each takes more memory than its text. */
  runRecordParts: 1_000_000,
  /** What is read of the file that tells who has a run record. */
  claim: 1024,

  // Secrets
  /** Texts of signed addresses that are remembered in order to be hidden, the newest; each lives a few minutes. */
  signedAddresses: 64,
  /** Spellings of secrets that are remembered of one server, so that it can be asked for files named so. */
  quotedSpellings: 1_000,

  // JSON.
  /** Digits of a whole number: Python, and so every ComfyUI server, refuses longer ones. */
  digits: 4_300,

  // Workflows in pictures, sounds, videos and models.
  /** One text that a file carries, and all that is read or inflated to find its workflows. */
  embeddedText: 64 * 1024 * 1024,
  /** Parts of one file: chunks, boxes, frames, pages. */
  fileParts: 200_000,

  // Graph files on the way to a prompt.
  /** Nodes of a graph with the insides of its subgraphs and group nodes, each as often as it is used. */
  unfoldedNodes: 50_000,
  /** Their inputs and widgets. */
  unfoldedInputs: 2_000_000,
  /** Their ids, and the prompt that is made of them, in characters. */
  unfoldedIds: 20_000_000,
  promptText: 100_000_000,
  /** What %Node.widget% in one text may become, in characters. */
  replacedText: 1_000_000,
  /** Steps along links to find what feeds the inputs. */
  linkSteps: 5_000_000,
  /** Widgets of inner nodes that instances show in the older form (`proxyWidgets`). */
  proxyWidgets: 2_000,

  // Workflow files.
  /** Nodes of a file that is checked. */
  checkedNodes: 20_000,
  /** Findings of one file, and what rules may report before the gravest are chosen. */
  findings: 500,
  reportedFindings: 20_000,
  /** One finding, in characters. */
  findingText: 1_000,
  /** What is compared in one check to find names that were meant, in letters. */
  comparedLetters: 3_000_000,
  // Prices of nodes, computed from what their server says
  /** One text, in characters: of an input, or put together. */
  priceText: 100_000,
  /** What is looked for in it. */
  priceNeedle: 200,
  /** Calls, values read, and values of lists that are looked at. */
  priceCalls: 500,
  priceSteps: 50_000,
  // Music
  /** One generation from the question to the end of the answer. */
  musicTime: 1_200_000,
  /** Without a byte. */
  musicSilence: 300_000,
  /** One line of the stream. */
  musicLineBytes: 24 * 2 ** 20,
  /** Lines of the stream, blank ones and those that are no music too. */
  musicLines: 200_000,
  /** Lines of the stream that cannot be read. */
  musicSkippedLines: 10_000,
  /** The music itself, all variants together. */
  musicAudioBytes: 64 * 2 ** 20,
  /** All that the service sends for one generation. */
  musicStreamBytes: 128 * 2 ** 20,
  /** Pieces of one generation. */
  musicStreams: 64,
  /** Recordings of music that nobody has saved or discarded yet. */
  musicRecordings: 20,
  /** Tags of one track, before those that say nothing are left out. */
  musicTags: 200,
  // Submitting a workflow
  /** One local file that is uploaded: it is read into memory to be judged. */
  uploadFile: 1024 ** 3,
  /** Git's answer to whether it ignores a file. */
  gitAnswer: 5_000,
  /** Waits that a server may ask for before it takes a submission, in number and in all. */
  submissionWaits: 5,
  submissionWait: 600_000,
  /** Looking for the job of a lost answer: on this machine, elsewhere, and where the server itself answered with an error. */
  lookOutHere: 30_000,
  lookOut: 120_000,
  lookOutAnswered: 6_000,
  /** The same while a new job lives that may be the one and does not tell. */
  longestLookOut: 1_800_000,
  /** So long after it left a submission arrives no more: a server that answers and has no job of it never will. */
  latestArrival: 600_000,
} as const;
