import { practiceFaults } from './practiceFaults';

/** Where a ComfyUI of one's own listens unless told otherwise. */
const ownServer = 'http://127.0.0.1:8188';
export const musicService = 'https://api.comfy.org';

/** An option as `parseArgs` reads it, with what help and completion tell of it. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly default?: string | boolean;
  /** What stands for its value in the help. */
  readonly value?: string;
  /** Values that a shell offers; `file` and `folder` are those on the disk. */
  readonly offers?: readonly string[] | 'file' | 'folder';
  readonly help: string;
}

export type Options = Readonly<Record<string, Option>>;

const keyEnv = {
  type: 'string',
  value: 'NAME',
  help: 'environment variable that holds the API key',
} as const satisfies Option;

const jsonEvents = {
  type: 'boolean',
  default: false,
  help: 'print one JSON object per line for everything that happens',
} as const satisfies Option;

const saveTemporary = {
  type: 'boolean',
  default: false,
  help: 'save the temporary outputs of preview nodes too (default: only if there are no others)',
} as const satisfies Option;

const definitions = {
  type: 'string',
  value: 'FILE',
  offers: 'file',
  help: "the server's node definitions, as GET /object_info answers them",
} as const satisfies Option;

const definitionsServer = {
  type: 'string',
  value: 'URL',
  offers: ['cloud', 'sandbox'],
  help: 'ask this server for the node definitions instead: an address, "cloud" for Comfy Cloud, or "sandbox"',
} as const satisfies Option;

export const runOptions = {
  server: {
    type: 'string',
    default: ownServer,
    value: 'URL',
    offers: ['cloud', 'sandbox'],
    help: `address of a ComfyUI server, "cloud" for Comfy Cloud, or "sandbox" for one that is started for this run (default: ${ownServer})`,
  },
  'key-env': keyEnv,
  out: {
    type: 'string',
    default: 'outputs',
    value: 'DIR',
    offers: 'folder',
    help: 'folder for the outputs (default: outputs)',
  },
  seed: {
    type: 'string',
    value: 'random',
    offers: ['random'],
    help: 'give every seed of the workflow a new value',
  },
  upload: {
    type: 'string',
    value: 'yes|no',
    offers: ['yes', 'no'],
    help: 'upload the local files that the workflow names; each is listed first (default: only to a server on this machine, and only files in the folder of FILE that are neither hidden nor ignored by Git)',
  },
  spend: {
    type: 'string',
    value: 'yes|no',
    offers: ['yes', 'no'],
    help: 'run partner nodes, which cost credits of their own (default: no)',
  },
  force: {
    type: 'boolean',
    default: false,
    help: 'run although the check expects the server to refuse',
  },
  strict: {
    type: 'boolean',
    default: false,
    help: 'exit with code 1 if the server leaves nodes out; the other outputs are saved',
  },
  'save-temporary': saveTemporary,
  'look-out': {
    type: 'string',
    value: 'N',
    help: 'seconds to look for the job if the answer to the submission is lost (default: 30 for a server on this machine, else 120)',
  },
  json: jsonEvents,
} as const satisfies Options;

const sentJobOptions = {
  out: {
    type: 'string',
    default: 'outputs',
    value: 'DIR',
    offers: 'folder',
    help: 'folder with the run records (default: outputs)',
  },
  server: {
    type: 'string',
    value: 'URL',
    offers: ['cloud'],
    help: 'address of the server (default: the one in the run record)',
  },
  'key-env': { ...keyEnv, help: 'environment variable that holds the API key; needs --server' },
  json: jsonEvents,
} as const satisfies Options;

export const fetchOptions = { ...sentJobOptions, 'save-temporary': saveTemporary } as const satisfies Options;

export const jobsOptions = {
  ...sentJobOptions,
  server: { ...sentJobOptions.server, help: 'list the queue and the latest jobs of this server too' },
} as const satisfies Options;

export const cancelOptions = {
  ...sentJobOptions,
  yes: { type: 'boolean', default: false, help: 'cancel a job that has no run record here' },
} as const satisfies Options;

export const validateOptions = {
  definitions,
  server: definitionsServer,
  'key-env': keyEnv,
  validators: {
    type: 'string',
    value: 'FILE',
    offers: 'file',
    help: 'classes that check inputs themselves: a list of [class, generation, [inputs], catch-all or null, module]',
  },
  replacements: {
    type: 'string',
    value: 'FILE',
    offers: 'file',
    help: 'classes that the server replaces, as GET /node_replacements answers them',
  },
  format: {
    type: 'string',
    default: 'text',
    value: 'NAME',
    offers: ['text', 'json', 'github'],
    help: 'text, json (one line per file) or github (annotations); default: text',
  },
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
    help: 'what becomes of {a|b} in texts: keep it, take the first choice, or a random one (default: keep)',
  },
  'allow-loss': {
    type: 'boolean',
    default: false,
    help: 'exit with code 0 although prompts lack values or links of their graph, as those of node types that the definitions do not have; each such node is named',
  },
  json: {
    type: 'boolean',
    default: false,
    help: 'one line per file: {"file", "prompt", "warnings"} or {"file", "error"}',
  },
} as const satisfies Options;

export const uploadOptions = {
  mask: {
    type: 'string',
    value: 'FILE',
    offers: 'file',
    help: 'put the transparent parts of this picture on the picture, as its mask',
  },
  on: {
    type: 'string',
    value: 'NAME',
    offers: ['input', 'output', 'temp'],
    help: 'PICTURE is on the server already, in its folder input, output or temp',
  },
  overwrite: {
    type: 'boolean',
    default: false,
    help: 'replace files of the same names on the server (default: add a number)',
  },
  server: {
    type: 'string',
    default: ownServer,
    value: 'URL',
    offers: ['cloud'],
    help: `address of the server, or "cloud" (default: ${ownServer})`,
  },
  'key-env': keyEnv,
  json: {
    type: 'boolean',
    default: false,
    help: 'print {"event": "uploaded", "value"} instead of the name',
  },
} as const satisfies Options;

export const musicOptions = {
  duration: { type: 'string', default: '30', value: 'N', help: 'seconds, 1 to 360 (default: 30)' },
  server: {
    type: 'string',
    value: 'URL',
    offers: ['comfy', 'sandbox'],
    help: `address of the music service, "comfy" for ${musicService}, or "sandbox" for a free test tune (default: comfy with --key-env, else sandbox)`,
  },
  'key-env': {
    ...keyEnv,
    help: 'environment variable that holds the API key or the token; music costs credits',
  },
  out: {
    type: 'string',
    default: 'outputs',
    value: 'DIR',
    offers: 'folder',
    help: 'folder for the music (default: outputs)',
  },
  'keep-partial': {
    type: 'boolean',
    default: false,
    help: 'save what has arrived when the music breaks off',
  },
  json: jsonEvents,
} as const satisfies Options;

export const sandboxOptions = {
  port: {
    type: 'string',
    default: '8189',
    value: 'N',
    help: 'port to listen on; 0 takes a free one (default: 8189)',
  },
  dialect: {
    type: 'string',
    default: 'cloud',
    value: 'NAME',
    offers: ['cloud', 'documented', 'local', 'local-old'],
    help: 'cloud, documented (only what Comfy Cloud documents), local or local-old (default: cloud)',
  },
  'key-env': { ...keyEnv, help: 'demand the API key that this environment variable holds (not local)' },
  fault: {
    type: 'string',
    value: 'NAME',
    offers: Object.keys(practiceFaults),
    help: 'refuse as Comfy Cloud does, until DELETE /sandbox/faults ends it (not local); the names are below',
  },
} as const satisfies Options;
