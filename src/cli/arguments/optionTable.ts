import { practiceFaults } from '../practiceFaults';
import { sandboxManagers } from '../sandboxManagers';
import { t } from '../../core/safety/localize';

/** The default address of a local ComfyUI. */
const ownServer = 'http://127.0.0.1:8188';
export const musicService = 'https://api.comfy.org';

/** An option for `parseArgs`, with its texts for help and completion. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly default?: string | boolean;
  /** May be given several times. */
  readonly multiple?: boolean;
  /** The placeholder of its value in the help. */
  readonly value?: string;
  /** Values that a shell offers; `file` and `folder` complete paths. */
  readonly offers?: readonly string[] | 'file' | 'folder';
  readonly help: string;
}

export type Options = Readonly<Record<string, Option>>;

const keyEnv = {
  type: 'string',
  value: 'NAME',
  help: t`environment variable that contains the API key`,
} as const satisfies Option;

const jsonEvents = {
  type: 'boolean',
  default: false,
  help: t`print one JSON object per line for each event`,
} as const satisfies Option;

const saveTemporary = {
  type: 'boolean',
  default: false,
  help: t`save the temporary outputs of preview nodes too (default: only if there are no others)`,
} as const satisfies Option;

const definitions = {
  type: 'string',
  value: 'FILE',
  offers: 'file',
  help: t`the server's node definitions, as returned by GET /object_info`,
} as const satisfies Option;

const definitionsServer = {
  type: 'string',
  value: 'URL',
  offers: ['cloud', 'sandbox'],
  help: t`get the node definitions from this server instead: an address, "cloud" for Comfy Cloud, or "sandbox"`,
} as const satisfies Option;

const count = {
  type: 'string',
  value: 'N',
  help: t`run each combination N times, with new seeds`,
} as const satisfies Option;

const dryRun = {
  type: 'boolean',
  default: false,
  help: t`print the rows, and the time and the price as far as they are known; send nothing`,
} as const satisfies Option;

const sheet = {
  type: 'string',
  value: 'FILE.md',
  offers: 'file',
  help: t`write the outputs of the batch as a Markdown table`,
} as const satisfies Option;

const window = {
  type: 'string',
  value: 'N',
  help: t`jobs of the batch that a server has at a time (default: 2)`,
} as const satisfies Option;

/** Of `run` and `rerun`. */
const oneRunOptions = {
  server: {
    type: 'string',
    default: ownServer,
    value: 'URL',
    offers: ['cloud', 'sandbox'],
    help: t`address of a ComfyUI server, "cloud" for Comfy Cloud, or "sandbox" to start one for this run (default: ${ownServer})`,
  },
  'key-env': keyEnv,
  out: {
    type: 'string',
    default: 'outputs',
    value: 'DIR',
    offers: 'folder',
    help: t`folder for the outputs (default: outputs)`,
  },
  seed: {
    type: 'string',
    value: 'random',
    offers: ['random'],
    help: t`randomize every seed in the workflow`,
  },
  upload: {
    type: 'string',
    value: 'yes|no',
    offers: ['yes', 'no'],
    help: t`upload the local files that the workflow uses, after listing them (default: only to a server on this machine, and only files in FILE's folder that are neither hidden nor ignored by Git)`,
  },
  spend: {
    type: 'string',
    value: 'yes|no',
    offers: ['yes', 'no'],
    help: t`run partner nodes, which cost extra credits (default: no)`,
  },
  force: {
    type: 'boolean',
    default: false,
    help: t`run even if the check expects the server to reject the workflow`,
  },
  strict: {
    type: 'boolean',
    default: false,
    help: t`exit with code 1 if the server leaves nodes out; the other outputs are saved`,
  },
  'save-temporary': saveTemporary,
  'look-out': {
    type: 'string',
    value: 'N',
    help: t`seconds to look for the job if the response to the submission is lost (default: 30 for a server on this machine, otherwise 120)`,
  },
  json: jsonEvents,
} as const satisfies Options;

export const runOptions = {
  ...oneRunOptions,
  set: {
    type: 'string',
    multiple: true,
    value: 'INPUT=VALUES',
    help: t`set an input, such as 3.seed=1, KSampler.cfg=6,7,8 or KSampler.steps=20..40..5; several values make a batch; see below`,
  },
  count,
  window,
  'dry-run': dryRun,
  sheet,
} as const satisfies Options;

export const rerunOptions = {
  ...oneRunOptions,
  server: {
    type: 'string',
    value: 'URL',
    offers: ['cloud', 'sandbox'],
    help: t`address of a ComfyUI server, "cloud" for Comfy Cloud, or "sandbox" to start one for this run (default: the server in the run record)`,
  },
  'key-env': { ...keyEnv, help: t`environment variable that contains the API key; needs --server` },
} as const satisfies Options;

export const showOptions = {
  out: {
    type: 'string',
    default: 'outputs',
    value: 'DIR',
    offers: 'folder',
    help: t`another folder with run records, for an output that was moved (default: outputs)`,
  },
  json: { type: 'boolean', default: false, help: t`print one JSON object` },
} as const satisfies Options;

export const batchOptions = {
  servers: {
    type: 'string',
    value: 'URL,…',
    offers: ['cloud', 'sandbox'],
    help: t`the servers that share the rows: addresses, "cloud" or "sandbox", separated by commas (default: those in FILE, or ${ownServer})`,
  },
  'key-env': {
    ...keyEnv,
    help: t`environment variable that contains the API key; with several servers, only Comfy Cloud gets it`,
  },
  out: runOptions.out,
  resume: {
    type: 'boolean',
    default: false,
    help: t`continue the batch that was started last with this FILE: nothing is sent twice`,
  },
  'retry-failed': {
    type: 'boolean',
    default: false,
    help: t`with --resume, run the rows that failed again`,
  },
  window,
  'dry-run': dryRun,
  sheet,
  upload: runOptions.upload,
  spend: {
    ...runOptions.spend,
    help: t`run partner nodes, which cost extra credits for each row, and again if a server stops answering (default: no)`,
  },
  force: runOptions.force,
  'save-temporary': saveTemporary,
  'look-out': runOptions['look-out'],
  json: jsonEvents,
} as const satisfies Options;

const sentJobOptions = {
  out: {
    type: 'string',
    default: 'outputs',
    value: 'DIR',
    offers: 'folder',
    help: t`folder with the run records (default: outputs)`,
  },
  server: {
    type: 'string',
    value: 'URL',
    offers: ['cloud'],
    help: t`address of the server (default: the one in the run record)`,
  },
  'key-env': { ...keyEnv, help: t`environment variable that contains the API key; needs --server` },
  json: jsonEvents,
} as const satisfies Options;

export const fetchOptions = { ...sentJobOptions, 'save-temporary': saveTemporary } as const satisfies Options;

export const jobsOptions = {
  ...sentJobOptions,
  server: { ...sentJobOptions.server, help: t`also list this server's queue and latest jobs` },
} as const satisfies Options;

export const cancelOptions = {
  ...sentJobOptions,
  yes: { type: 'boolean', default: false, help: t`cancel a job that has no run record here` },
} as const satisfies Options;

export const validateOptions = {
  definitions,
  server: definitionsServer,
  'key-env': keyEnv,
  validators: {
    type: 'string',
    value: 'FILE',
    offers: 'file',
    help: t`node types with validators of their own: a list of [node type, generation, [inputs], catch-all or null, module]`,
  },
  replacements: {
    type: 'string',
    value: 'FILE',
    offers: 'file',
    help: t`node types that the server replaces, as returned by GET /node_replacements`,
  },
  format: {
    type: 'string',
    default: 'text',
    value: 'NAME',
    offers: ['text', 'json', 'github'],
    help: t`text, json (one line per file) or github (annotations); default: text`,
  },
} as const satisfies Options;

export const testOptions = {
  server: runOptions.server,
  'key-env': keyEnv,
  expected: {
    type: 'string',
    value: 'DIR',
    offers: 'folder',
    help: t`folder that contains the NAME.expected folders of kept outputs (default: the folder of each workflow)`,
  },
  update: {
    type: 'boolean',
    default: false,
    help: t`keep outputs that are new or that differ, and remove kept ones that are no longer produced`,
  },
  threshold: {
    type: 'string',
    value: 'N',
    help: t`PNG pictures pass up to this distance, 0 to 100; see below (default: all pixels must be equal)`,
  },
  junit: { type: 'string', value: 'FILE', offers: 'file', help: t`write the results as JUnit XML` },
  diff: {
    type: 'string',
    default: 'test-differences',
    value: 'DIR',
    offers: 'folder',
    help: t`folder for outputs that fail and pictures of what differs (default: test-differences)`,
  },
  upload: runOptions.upload,
  spend: runOptions.spend,
  force: runOptions.force,
  'save-temporary': {
    ...saveTemporary,
    help: t`compare the temporary outputs of preview nodes too (default: only if there are no others)`,
  },
  json: jsonEvents,
} as const satisfies Options;

export const convertOptions = {
  definitions,
  server: definitionsServer,
  'key-env': keyEnv,
  'dynamic-prompts': {
    type: 'string',
    default: 'keep',
    value: 'NAME',
    offers: ['keep', 'first', 'random'],
    help: t`how to handle {a|b} in texts: keep it, or pick the first or a random option (default: keep)`,
  },
  'allow-loss': {
    type: 'boolean',
    default: false,
    help: t`exit with code 0 even if prompts lose values or links of their graph, such as those of unknown node types; each such node is named`,
  },
  json: {
    type: 'boolean',
    default: false,
    help: t`one line per file: {"file", "prompt", "warnings"} or {"file", "error"}`,
  },
} as const satisfies Options;

export const uploadOptions = {
  mask: {
    type: 'string',
    value: 'FILE',
    offers: 'file',
    help: t`use the transparent areas of this image as the mask`,
  },
  on: {
    type: 'string',
    value: 'NAME',
    offers: ['input', 'output', 'temp'],
    help: t`PICTURE is already on the server, in its input, output or temp folder`,
  },
  overwrite: {
    type: 'boolean',
    default: false,
    help: t`overwrite files with the same names on the server (default: add a number)`,
  },
  server: {
    type: 'string',
    default: ownServer,
    value: 'URL',
    offers: ['cloud'],
    help: t`address of the server, or "cloud" (default: ${ownServer})`,
  },
  'key-env': keyEnv,
  json: {
    type: 'boolean',
    default: false,
    help: t`print {"event": "uploaded", "value"} instead of the name`,
  },
} as const satisfies Options;

export const musicOptions = {
  duration: { type: 'string', default: '30', value: 'N', help: t`seconds, 1 to 360 (default: 30)` },
  server: {
    type: 'string',
    value: 'URL',
    offers: ['comfy', 'sandbox'],
    help: t`address of the music service, "comfy" for ${musicService}, or "sandbox" for a free test tune (default: comfy with --key-env, else sandbox)`,
  },
  'key-env': {
    ...keyEnv,
    help: t`environment variable that contains the API key or token; music costs credits`,
  },
  out: {
    type: 'string',
    default: 'outputs',
    value: 'DIR',
    offers: 'folder',
    help: t`folder for the music (default: outputs)`,
  },
  'keep-partial': {
    type: 'boolean',
    default: false,
    help: t`save what has arrived if the stream is interrupted`,
  },
  json: jsonEvents,
} as const satisfies Options;

export const sandboxOptions = {
  port: {
    type: 'string',
    default: '8190',
    value: 'N',
    help: t`port to listen on; 0 picks a free one (default: 8190)`,
  },
  dialect: {
    type: 'string',
    default: 'cloud',
    value: 'NAME',
    offers: ['cloud', 'documented', 'local', 'local-old'],
    help: t`cloud, documented (only what Comfy Cloud documents), local or local-old (default: cloud)`,
  },
  'key-env': { ...keyEnv, help: t`require the API key in this environment variable (not local)` },
  manager: {
    type: 'string',
    value: 'NAME',
    offers: sandboxManagers,
    help: t`have a ComfyUI-Manager that installs practice packs (only local): ${sandboxManagers.join(', ')}`,
  },
  fault: {
    type: 'string',
    value: 'NAME',
    offers: Object.keys(practiceFaults),
    help: t`reject requests as Comfy Cloud does, until DELETE /sandbox/faults (not local); names below`,
  },
} as const satisfies Options;
