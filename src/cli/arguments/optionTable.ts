import { parseArgs } from 'node:util';
import { budgets } from '../../core/safety/budgets';
import { type Shown, shown } from '../../core/safety/shownText';
import {
  readCountTo,
  readDuration,
  readKeyName,
  readMusicServer,
  musicService,
  readSeedWord,
  readOneWord,
  readWritablePath,
  readPort,
  readRegistry,
  readMilliseconds,
  readServerAddress,
  readServerAddresses,
  readThreshold,
  readYesOrNo,
} from './optionValues';
import { parsingProblem } from './usageError';

export const ownServer = 'http://127.0.0.1:8188';

/** An option for `parseArgs`, with its texts for help and completion. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly default?: string | boolean;
  readonly multiple?: boolean;
  readonly value?: string;
  /** Values that a shell offers; `file` and `folder` complete paths. */
  readonly offers?: readonly string[] | 'file' | 'folder' | undefined;
  /** @param name as typed, such as `--server`; @throws UsageError */
  readonly read?: (text: string, name: string) => unknown;
  readonly help: Shown;
}

export type Options = Readonly<Record<string, Option>>;

type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;

type Given<O> = O extends { readonly read: (text: string, name: string) => infer R } ? R : string;

type Value<O> = O extends { readonly type: 'boolean' }
  ? boolean
  : O extends { readonly multiple: true }
    ? readonly string[]
    : O extends { readonly default: string }
      ? Given<O>
      : Given<O> | undefined;

/** The values of options, by their names without hyphens. */
export type Values<O extends Options> = {
  readonly [K in keyof O & string as Camel<K>]: Value<O[K]>;
};

export function readCommandOptions<O extends Options>(
  args: string[],
  options: O,
): { readonly values: Values<O>; readonly operands: readonly string[] } {
  const { values, positionals } = parseKnown(args, options);
  const meant = Object.entries(options).map(([name, { multiple, read }]) => {
    const given = values[name] ?? (multiple ? [] : undefined);
    const key = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [key, read && typeof given === 'string' ? read(given, `--${name}`) : given];
  });
  return { values: Object.fromEntries(meant) as Values<O>, operands: positionals };
}

function parseKnown(args: string[], options: Options) {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw parsingProblem(error, Object.keys(options));
  }
}

function flag(help: Shown) {
  return { type: 'boolean', default: false, help } as const satisfies Option;
}

const file = { type: 'string', value: 'FILE', offers: 'file' } as const;
const fileToWrite = { ...file, read: readWritablePath } as const;
const folderToRead = { type: 'string', value: 'DIR', offers: 'folder' } as const;
const folder = { ...folderToRead, read: readWritablePath } as const;
const number = { type: 'string', value: 'N' } as const;
const yesNo = { type: 'string', value: 'yes|no', offers: ['yes', 'no'], read: readYesOrNo } as const;
const runningServer = { type: 'string', value: 'URL', offers: ['cloud'], read: readServerAddress } as const;
const server = { ...runningServer, offers: ['cloud', 'sandbox'] } as const;

function word<const W extends string>(help: Shown, words: readonly W[]) {
  return { type: 'string', value: 'NAME', help, offers: words, read: readOneWord(words) } as const;
}

function wordOr<const W extends string>(standard: W, help: Shown, words: readonly W[]) {
  return { ...word(help, words), default: standard } as const;
}

function keyName(help: Shown) {
  return { type: 'string', value: 'NAME', read: readKeyName, help } as const;
}

const keyEnv = keyName(shown`environment variable that contains the API key`);
const keyEnvOfServer = keyName(shown`environment variable that contains the API key (requires --server)`);

function outFolder(help: Shown) {
  return { ...folder, default: 'outputs', help } as const;
}

const jsonEvents = flag(shown`print one JSON object per line for each event`);

const saveTemporary = flag(
  shown`also save the temporary outputs of preview nodes (default: only if there are no others)`,
);

const traceback = flag(shown`if the job fails, print the server's traceback (always with --json)`);

const definitionOptions = {
  definitions: { ...file, help: shown`the server's node definitions, as returned by GET /object_info` },
  server: {
    ...server,
    help: shown`get the node definitions from this server instead: an address, "cloud" for Comfy Cloud, or "sandbox"`,
  },
  'key-env': keyEnv,
} as const satisfies Options;

const batchOnlyOptions = {
  window: {
    ...number,
    read: readCountTo(budgets.batchWindow),
    help: shown`parallel jobs per server (default: 2)`,
  },
  'dry-run': flag(shown`print the rows, estimated time, and price without running anything`),
  sheet: {
    ...fileToWrite,
    value: 'FILE.md',
    help: shown`write the outputs of the batch as a Markdown table`,
  },
} as const satisfies Options;

/** What a person allows a run to do. */
const consentOptions = {
  upload: {
    ...yesNo,
    help: shown`upload the local files that the workflow uses, after listing them (default: only to a server on this machine, and only files in FILE's folder that are neither hidden nor ignored by Git)`,
  },
  spend: { ...yesNo, default: 'no', help: shown`run partner nodes, which cost extra credits (default: no)` },
  force: flag(shown`run even if the check expects the server to reject the workflow`),
  'allow-loss': flag(shown`run even if the conversion of a graph loses values or links (they are listed)`),
} as const satisfies Options;

const oneRunOptions = {
  server: {
    ...server,
    default: ownServer,
    help: shown`address of a ComfyUI server, "cloud" for Comfy Cloud, or "sandbox" to start one for this run (default: ${ownServer})`,
  },
  'key-env': keyEnv,
  out: outFolder(shown`folder for the outputs (default: outputs)`),
  seed: {
    type: 'string',
    value: 'random',
    offers: ['random'],
    read: readSeedWord,
    help: shown`randomize every seed in the workflow`,
  },
  ...consentOptions,
  strict: flag(shown`exit with code 1 if the server skips nodes; the other outputs are saved`),
  'save-temporary': saveTemporary,
  traceback,
  'look-out': {
    ...number,
    read: readMilliseconds,
    help: shown`seconds to look for the job if the response to the submission is lost (default: 30 for a server on this machine, otherwise 120)`,
  },
  json: jsonEvents,
} as const satisfies Options;

const runOptions = {
  ...oneRunOptions,
  set: {
    type: 'string',
    multiple: true,
    value: 'INPUT=VALUES',
    help: shown`set an input, such as 3.seed=1, KSampler.cfg=6,7,8 or KSampler.steps=20..40..5; several values make a batch; see below`,
  },
  next: flag(shown`run it before everything in the queue (ComfyUI servers only; not with --set or --count)`),
  count: {
    ...number,
    read: readCountTo(budgets.batchRows),
    help: shown`run each combination N times, with new seeds`,
  },
  ...batchOnlyOptions,
} as const satisfies Options;

const sentJobOptions = {
  out: outFolder(shown`folder with the run records (default: outputs)`),
  server: { ...runningServer, help: shown`address of the server (default: the one in the run record)` },
  'key-env': keyEnvOfServer,
  json: jsonEvents,
} as const satisfies Options;

const fetchOptions = { ...sentJobOptions, 'save-temporary': saveTemporary, traceback } as const;

/** The source of names and defaults; without it, a file that names its values is compared by its names. */
const printOptions = {
  ...definitionOptions,
  server: { ...server, help: shown`take the node definitions of this server, or sandbox` },
} as const satisfies Options;

export const commandOptions = {
  run: runOptions,
  batch: {
    servers: {
      ...server,
      value: 'URL,…',
      read: readServerAddresses,
      help: shown`the servers that share the rows: addresses, "cloud", or "sandbox", separated by commas (default: those in FILE, or ${ownServer})`,
    },
    'key-env': keyName(
      shown`environment variable that contains the API key; with several servers, only Comfy Cloud gets it`,
    ),
    out: runOptions.out,
    resume: flag(shown`resume the last batch started from FILE, without sending anything twice`),
    'retry-failed': flag(shown`with --resume, run the rows that failed again`),
    ...batchOnlyOptions,
    ...consentOptions,
    spend: {
      ...consentOptions.spend,
      help: shown`run partner nodes, which cost extra credits for each row, and again if a server stops responding (default: no)`,
    },
    'save-temporary': saveTemporary,
    'look-out': runOptions['look-out'],
    json: jsonEvents,
  },
  rerun: {
    ...oneRunOptions,
    lost: flag(
      shown`without FILE: run everything again that --server has forgotten, by the run records in --out`,
    ),
    server: {
      ...server,
      help: shown`address of a ComfyUI server, "cloud" for Comfy Cloud, or "sandbox" to start one for this run (default: the server in the run record)`,
    },
    'key-env': keyEnvOfServer,
  },
  show: {
    out: outFolder(shown`another folder with run records, for an output that was moved (default: outputs)`),
    json: flag(shown`print one JSON object`),
  },
  jobs: {
    ...sentJobOptions,
    server: { ...runningServer, help: shown`also list this server's queue and latest jobs` },
    lost: flag(shown`list the runs that their server has forgotten, as after a restart`),
  },
  fetch: fetchOptions,
  wait: fetchOptions,
  cancel: { ...sentJobOptions, yes: flag(shown`cancel a job that has no run record here`) },
  forget: { out: sentJobOptions.out, json: jsonEvents },
  upload: {
    mask: { ...file, help: shown`use the transparent areas of this image as the mask` },
    on: word(shown`IMAGE is already on the server, in its input, output, or temp folder`, [
      'input',
      'output',
      'temp',
    ]),
    overwrite: flag(shown`overwrite files with the same names on the server (default: add a number)`),
    server: {
      ...runningServer,
      default: ownServer,
      help: shown`address of the server, or "cloud" (default: ${ownServer})`,
    },
    'key-env': keyEnv,
    json: flag(shown`print {"event": "uploaded", "value"} instead of the name`),
  },
  validate: {
    ...definitionOptions,
    validators: {
      ...file,
      help: shown`node types with validators of their own: a list of [node type, generation, [inputs], catch-all or null, module]`,
    },
    replacements: {
      ...file,
      help: shown`node types that the server replaces, as returned by GET /node_replacements`,
    },
    format: wordOr('text', shown`text, json (one line per file), or github (annotations); default: text`, [
      'text',
      'json',
      'github',
    ]),
  },
  test: {
    server: runOptions.server,
    'key-env': keyEnv,
    expected: {
      ...folderToRead,
      help: shown`folder that contains the NAME.expected folders (default: the folder of each workflow)`,
    },
    update: flag(
      shown`accept new and changed outputs as expected, and remove expected ones that are no longer produced`,
    ),
    threshold: {
      ...number,
      read: readThreshold,
      help: shown`maximum color difference of PNG images, 0 to 100; see below (default: 0, identical pixels)`,
    },
    junit: { ...fileToWrite, help: shown`write the results as JUnit XML` },
    diff: {
      ...folder,
      default: 'test-differences',
      help: shown`folder for failed outputs and difference images (default: test-differences)`,
    },
    ...consentOptions,
    'save-temporary': flag(
      shown`also compare the temporary outputs of preview nodes (default: only if there are no others)`,
    ),
    json: jsonEvents,
  },
  music: {
    duration: { ...number, default: '30', read: readDuration, help: shown`seconds, 1 to 360 (default: 30)` },
    server: {
      ...server,
      offers: ['comfy', 'sandbox'],
      read: readMusicServer,
      help: shown`address of the music service, "comfy" for ${musicService}, or "sandbox" for a free test tune (default: comfy with --key-env, else sandbox)`,
    },
    'key-env': keyName(shown`environment variable that contains the API key or token; music costs credits`),
    out: outFolder(shown`folder for the music (default: outputs)`),
    'keep-partial': flag(shown`save what has arrived if the stream is interrupted`),
    json: jsonEvents,
  },
  review: {
    stars: { ...number, offers: ['1', '2', '3', '4', '5'], help: shown`how many stars, 1 to 5` },
    server: {
      type: 'string',
      default: musicService,
      value: 'URL',
      read: readRegistry,
      help: shown`address of the node registry (default: ${musicService})`,
    },
    'key-env': keyName(
      shown`environment variable that contains a token of the registry (default: send none)`,
    ),
  },
  sandbox: {
    port: {
      ...number,
      default: '8190',
      read: readPort,
      help: shown`port to listen on; 0 picks a free one (default: 8190)`,
    },
    dialect: wordOr(
      'cloud',
      shown`cloud, documented (only what Comfy Cloud documents), local or local-old (default: cloud)`,
      ['cloud', 'documented', 'local', 'local-old'],
    ),
    'key-env': keyName(shown`require the API key in this environment variable (not local)`),
    manager: word(
      shown`include a ComfyUI-Manager that installs practice packs (only with local): v3, v4, forbidden, v4-forbidden`,
      ['v3', 'v4', 'forbidden', 'v4-forbidden'],
    ),
  },
  convert: {
    ...definitionOptions,
    'dynamic-prompts': wordOr(
      'keep',
      shown`how to handle {a|b} in texts: keep it, or pick the first or a random option (default: keep)`,
      ['keep', 'first', 'random'],
    ),
    'allow-loss': flag(
      shown`exit with code 0 even if the conversion loses values or links, such as those of unknown node types (affected nodes are listed)`,
    ),
    json: flag(shown`one line per file: {"file", "prompt", "warnings", "unsent"} or {"file", "error"}`),
  },
  extract: {
    format: word(shown`graph or api (default: the graph, if the file contains one)`, ['graph', 'api']),
    out: { ...file, help: shown`write the workflow to this file (default: standard output)` },
  },
  diff: {
    ...printOptions,
    json: flag(shown`one JSON object: {"same", "changes", "layout"}`),
    markdown: flag(shown`Markdown, as for a pull request`),
    svg: flag(shown`both versions in one SVG image, with the differences in color`),
  },
  print: printOptions,
  graph: {
    ...printOptions,
    out: { ...fileToWrite, help: shown`write the image to this file (default: standard output)` },
    json: flag(shown`one JSON object: {"nodes", "links", "groups"}`),
    theme: wordOr('dark', shown`colors of the ComfyUI editor (default: dark)`, ['dark', 'light']),
    inside: {
      type: 'string',
      value: 'ID',
      help: shown`draw the inside of this subgraph node; ID is OUTER:INNER for one inside another`,
    },
  },
  'git-setup': {},
  completion: {},
} as const satisfies Readonly<Record<string, Options>>;
