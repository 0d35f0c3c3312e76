import {
  cancelOptions,
  convertOptions,
  fetchOptions,
  jobsOptions,
  musicOptions,
  type Options,
  runOptions,
  sandboxOptions,
  uploadOptions,
  validateOptions,
} from './optionTable';
import { practiceFaultLines } from './practiceFaults';
import { t } from '../core/safety/localize';

/** What help and completion show for a command. */
export interface Command {
  /** The operands after its name; a shell offers files for all but `PROMPT` and `SHELL`. */
  readonly takes?: 'FILE' | 'FILES…' | 'JOB' | 'PICTURE' | 'PROMPT' | 'SHELL' | undefined;
  /** One line, without a full stop. */
  readonly summary: string;
  /** What users should know before they read the options. */
  readonly notes?: string;
  readonly options: Options;
  /** Notes that the options refer to, in lines that fit. */
  readonly after?: string;
  readonly examples: readonly (readonly [what: string, line: string])[];
}

export const shells = ['bash', 'zsh', 'fish'] as const;

const savedLater = t`JOB is a job ID or a run record (….run.json). The run record in the output folder is written before the workflow is sent and lists what is still to be saved.`;

/** Every command, in the order of the help. */
export const commandTable = {
  run: {
    takes: 'FILE',
    summary: t`run a workflow and save its outputs`,
    notes: t`Press Ctrl-C to cancel the job on the server; press it again to exit immediately. FILE is in the API format or as saved by the ComfyUI editor.`,
    options: runOptions,
    examples: [
      [t`On the ComfyUI on this machine`, 'comfy-deck run workflow.json'],
      [
        t`On Comfy Cloud, with the key in an environment variable`,
        'comfy-deck run workflow.json --server cloud --key-env COMFY_API_KEY',
      ],
      [
        t`Try it without a server, with new seeds`,
        'comfy-deck run workflow.json --server sandbox --seed random',
      ],
    ],
  },
  jobs: {
    summary: t`list the runs whose outputs are not all on disk`,
    options: jobsOptions,
    examples: [
      [t`What is missing in the "outputs" folder`, 'comfy-deck jobs'],
      [t`Include the queue of a server`, 'comfy-deck jobs --server http://127.0.0.1:8188'],
    ],
  },
  fetch: {
    takes: 'JOB',
    summary: t`save a job's outputs that are not on disk yet`,
    notes: savedLater,
    options: fetchOptions,
    examples: [[t`By the run record`, 'comfy-deck fetch outputs/portrait-20260314-092653.run.json']],
  },
  wait: {
    takes: 'JOB',
    summary: t`wait for a job to end, then save its outputs`,
    notes: savedLater,
    options: fetchOptions,
    examples: [[t`By the run record`, 'comfy-deck wait outputs/portrait-20260314-092653.run.json']],
  },
  cancel: {
    takes: 'JOB',
    summary: t`cancel a job on its server`,
    notes: savedLater,
    options: cancelOptions,
    examples: [[t`By the run record`, 'comfy-deck cancel outputs/portrait-20260314-092653.run.json']],
  },
  upload: {
    takes: 'PICTURE',
    summary: t`upload an image, with its mask; print its name on the server`,
    options: uploadOptions,
    examples: [
      [t`An image with its mask`, 'comfy-deck upload cat.png --mask mask.png'],
      [
        t`A mask for an image the server made`,
        'comfy-deck upload cat_00001_.png --on output --mask mask.png',
      ],
    ],
  },
  validate: {
    takes: 'FILES…',
    summary: t`report what a server would reject, drop, or fail at, and where`,
    notes: t`Needs --definitions or --server.`,
    options: validateOptions,
    examples: [
      [
        t`Against the ComfyUI on this machine`,
        'comfy-deck validate --server http://127.0.0.1:8188 workflows/*.json',
      ],
      [
        t`Without a server, for GitHub Actions`,
        'comfy-deck validate --definitions object_info.json --format github workflows/*.json',
      ],
    ],
  },
  music: {
    takes: 'PROMPT',
    summary: t`make music from a description and save it`,
    options: musicOptions,
    examples: [
      [t`A free test tune`, 'comfy-deck music "slow piano, rain on the window"'],
      [t`Music, for credits`, 'comfy-deck music "slow piano" --duration 60 --key-env COMFY_API_KEY'],
    ],
  },
  sandbox: {
    summary: t`start the built-in server and keep it running`,
    options: sandboxOptions,
    after: t`Faults:\n${practiceFaultLines('  ')}`,
    examples: [[t`As a local ComfyUI`, 'comfy-deck sandbox --dialect local --port 8188']],
  },
  convert: {
    takes: 'FILES…',
    summary: t`convert graph files to prompts (API format)`,
    notes: t`Needs --definitions or --server. Several files need --json.`,
    options: convertOptions,
    examples: [
      [
        t`With the node definitions of the ComfyUI on this machine`,
        'comfy-deck convert --server http://127.0.0.1:8188 graph.json > prompt.json',
      ],
      [
        t`Many files, without a server`,
        'comfy-deck convert --definitions object_info.json --json workflows/*.json',
      ],
    ],
  },
  completion: {
    takes: 'SHELL',
    summary: t`print the completion script for bash, zsh or fish`,
    options: {},
    examples: [
      [t`bash: add to ~/.bashrc`, 'source <(comfy-deck completion bash)'],
      [t`zsh: add to ~/.zshrc, after compinit`, 'source <(comfy-deck completion zsh)'],
      [t`fish: once`, 'comfy-deck completion fish > ~/.config/fish/completions/comfy-deck.fish'],
    ],
  },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof commandTable;

/** Adds the optional parts that the table leaves out. */
export const commands: readonly (readonly [CommandName, Command])[] = Object.entries(commandTable) as [
  CommandName,
  Command,
][];

export function isCommandName(text: string | undefined): text is CommandName {
  return text !== undefined && Object.hasOwn(commandTable, text);
}
