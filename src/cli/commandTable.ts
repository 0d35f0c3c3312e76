import type { CommandName } from './commandArguments';
import { t } from '../core/safety/localize';

export interface Command {
  /** The operands after its name; a shell offers files for all but `PROMPT`, `ID`, `PATTERN` and `SHELL`. */
  readonly takes?: 'FILE' | 'FILES…' | 'JOB' | 'PICTURE' | 'PROMPT' | 'ID' | 'PATTERN' | 'SHELL' | undefined;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly notes?: string;
  readonly after?: string;
  readonly examples: Readonly<Record<string, string>>;
}

const savedLater = t`JOB is a job ID or a run record (….run.json). The run record in the output folder is written before the workflow is sent and lists what is still to be saved.`;

const inputValues = [
  t`INPUT is NODE.NAME, where NODE is a node ID, title, or node type. Put a title that contains dots in quotes.`,
  t`VALUES are a value, a list (6,7,8), a range (6..8 or 6..8..0.5), all options (*), the lines of a text file (@lines.txt), a column of a CSV file (@table.csv:column), a JSON list, or a text with alternatives ({a|b}).`,
].join('\n');

export const commandTable: Readonly<Record<CommandName, Command>> = {
  run: {
    takes: 'FILE',
    summary: t`run a workflow and save its outputs`,
    notes: t`Press Ctrl+C to cancel the job on the server. Press it again to exit immediately. FILE is in API format or as saved by the ComfyUI editor.`,
    after: inputValues,
    examples: {
      'comfy-deck run workflow.json': t`On the ComfyUI on this machine`,
      'comfy-deck run workflow.json --server cloud --key-env COMFY_API_KEY': t`On Comfy Cloud, with the key in an environment variable`,
      'comfy-deck run workflow.json --server sandbox --seed random': t`Try it without a server, with new seeds`,
      'comfy-deck run workflow.json --set "KSampler.cfg=6,7,8" --count 2': t`Six images: three values, two seeds each`,
    },
  },
  batch: {
    takes: 'FILE',
    summary: t`run a workflow once for each row of a batch file`,
    notes: t`FILE is a batch file (….batch.json), or a started batch to resume (….batch-run.json in the output folder). Press Ctrl+C to cancel its jobs on the servers.`,
    examples: {
      'comfy-deck batch portrait.batch.json --dry-run': t`What it would run`,
      'comfy-deck batch portrait.batch.json --servers "http://127.0.0.1:8188,http://192.168.0.2:8188"': t`On two servers`,
      'comfy-deck batch portrait.batch.json --resume': t`Resume it`,
    },
  },
  rerun: {
    takes: 'FILE',
    summary: t`run the workflow in a run record again, as it was sent`,
    notes: t`FILE is a run record (….run.json). Uploaded files that have since changed or gone missing are reported.`,
    examples: {
      'comfy-deck rerun outputs/portrait-20260314-092653.run.json': t`The same run again, on the same server`,
      'comfy-deck rerun outputs/portrait-20260314-092653.run.json --seed random --server sandbox': t`With new seeds, on the sandbox`,
      'comfy-deck rerun --lost --server http://127.0.0.1:8188': t`Everything that a restarted server has forgotten`,
    },
  },
  show: {
    takes: 'FILE',
    summary: t`show how an output was made`,
    notes: t`FILE is a run record (….run.json) or an output, even if it was renamed or moved.`,
    examples: {
      'comfy-deck show outputs/portrait-20260314-092653-ComfyUI_00001_.png': t`By an output`,
      'comfy-deck show outputs/portrait-20260314-092653.run.json --json': t`As JSON`,
    },
  },
  jobs: {
    summary: t`list runs with unsaved outputs`,
    examples: {
      'comfy-deck jobs': t`What is missing in the "outputs" folder`,
      'comfy-deck jobs --server http://127.0.0.1:8188': t`Include the queue of a server`,
      'comfy-deck jobs --lost': t`Runs that a restarted server has forgotten`,
    },
  },
  fetch: {
    takes: 'JOB',
    summary: t`save the outputs of a job that aren't on disk yet`,
    notes: savedLater,
    examples: { 'comfy-deck fetch outputs/portrait-20260314-092653.run.json': t`By the run record` },
  },
  wait: {
    takes: 'JOB',
    summary: t`wait for a job to end, then save its outputs`,
    notes: savedLater,
    examples: { 'comfy-deck wait outputs/portrait-20260314-092653.run.json': t`By the run record` },
  },
  cancel: {
    takes: 'JOB',
    summary: t`cancel a job on its server`,
    notes: savedLater,
    examples: { 'comfy-deck cancel outputs/portrait-20260314-092653.run.json': t`By the run record` },
  },
  forget: {
    takes: 'JOB',
    summary: t`stop listing a run whose outputs can't be saved any more`,
    notes: t`JOB is a job ID, the start of one, or a run record. Nothing is asked of the server, and files that are saved stay.`,
    examples: { 'comfy-deck forget outputs/portrait-20260314-092653.run.json': t`By the run record` },
  },
  upload: {
    takes: 'PICTURE',
    summary: t`upload an image, with its mask; print its name on the server`,
    examples: {
      'comfy-deck upload cat.png --mask mask.png': t`An image with its mask`,
      'comfy-deck upload cat_00001_.png --on output --mask mask.png': t`A mask for an image the server made`,
    },
  },
  validate: {
    takes: 'FILES…',
    summary: t`report what a server would reject, drop, or fail at, and where`,
    notes: t`Requires --definitions or --server.`,
    examples: {
      'comfy-deck validate --server http://127.0.0.1:8188 "workflows/*.json"': t`Against the ComfyUI on this machine`,
      'comfy-deck validate --definitions object_info.json --format github "workflows/*.json"': t`Without a server, for GitHub Actions`,
    },
  },
  test: {
    takes: 'FILES…',
    summary: t`run workflows and compare their outputs with expected ones`,
    notes: t`Seeds are used as they are in FILES, and {a|b} picks the first option. Exit code 1 means that an output differs, is missing, or has no expected output yet. Press Ctrl+C to cancel the job on the server.`,
    after: t`The color difference of two PNG images is the mean over their pixels in OKLab: 0 is identical, 2 just noticeable, 100 black against white. Other files must be identical.`,
    examples: {
      'comfy-deck test workflow.json --update': t`Keep the outputs, at first and after an intended change`,
      'comfy-deck test "workflows/*.json" --server sandbox --junit test-results.xml': t`In CI, without a server`,
      'comfy-deck test workflow.json --threshold 0.5': t`On a GPU, where images differ slightly`,
    },
  },
  music: {
    takes: 'PROMPT',
    summary: t`generate music from a prompt and save it`,
    examples: {
      'comfy-deck music "slow piano, rain on the window"': t`A free test tune`,
      'comfy-deck music "slow piano" --duration 60 --key-env COMFY_API_KEY': t`Music, for credits`,
    },
  },
  review: {
    takes: 'ID',
    summary: t`give a node pack stars in the node registry`,
    notes: t`The registry accepts only one review per person, and it can't be changed.`,
    examples: {
      'comfy-deck review my-node-pack --stars 5 --key-env REGISTRY_TOKEN': t`With a token in an environment variable`,
    },
  },
  sandbox: {
    summary: t`start the built-in sandbox server`,
    examples: { 'comfy-deck sandbox --dialect local --port 8188': t`As a local ComfyUI` },
  },
  convert: {
    takes: 'FILES…',
    summary: t`convert workflows from graph to API format`,
    notes: t`Requires --definitions or --server. Several files require --json.`,
    examples: {
      'comfy-deck convert --server http://127.0.0.1:8188 graph.json > prompt.json': t`With the node definitions of the ComfyUI on this machine`,
      'comfy-deck convert --definitions object_info.json --json "workflows/*.json"': t`Many files, without a server`,
    },
  },
  extract: {
    takes: 'FILE',
    summary: t`write the workflow in an output to a file of its own`,
    notes: t`FILE is an image, audio, video, or model file, a latent, or a request or result that contains a workflow. The other commands also read the workflow in an output: the graph, if there is one.`,
    examples: {
      'comfy-deck extract ComfyUI_00001_.png --out workflow.json': t`The graph of an image`,
      'comfy-deck extract ComfyUI_00001_.png --format api > prompt.json': t`What the server ran`,
    },
  },
  diff: {
    takes: 'FILES…',
    summary: t`compare two workflows by what they do`,
    notes: t`FILES are two workflows, in API format or as saved by the ComfyUI editor. Exit code: 0 if they do the same, 1 if not, 2 if a file can't be read.`,
    examples: {
      'comfy-deck diff old.json new.json': t`Before and after`,
      'comfy-deck diff old.json new.json --markdown': t`For a pull request`,
    },
  },
  print: {
    takes: 'FILE',
    summary: t`print a workflow in a form made for line-by-line comparison`,
    notes: t`One value per line, nodes in the order of their IDs, without the layout.`,
    examples: { 'comfy-deck print workflow.json > workflow.txt': t`As a text file` },
  },
  graph: {
    takes: 'FILE',
    summary: t`draw a workflow as the ComfyUI editor shows it`,
    notes: t`FILE is in API format or as saved by the ComfyUI editor. With node definitions, the image has the sizes and widgets of the editor.`,
    examples: {
      'comfy-deck graph workflow.json --server http://127.0.0.1:8188 --out workflow.svg': t`An image for documentation`,
    },
  },
  'git-setup': {
    takes: 'PATTERN',
    summary: t`let "git diff" compare workflows by what they do`,
    notes: t`PATTERN says which files are workflows, as in .gitattributes. Sets diff.comfy.command in the configuration of this repository and adds a line to its .gitattributes.`,
    examples: { 'comfy-deck git-setup "workflows/*.json"': t`All in a folder` },
  },
  completion: {
    takes: 'SHELL',
    summary: t`print the completion script for bash, zsh, fish, or PowerShell`,
    examples: {
      'source <(comfy-deck completion bash)': t`bash: add to ~/.bashrc`,
      'source <(comfy-deck completion zsh)': t`zsh: add to ~/.zshrc, after compinit`,
      'comfy-deck completion fish > ~/.config/fish/completions/comfy-deck.fish': t`fish: once`,
      'comfy-deck completion powershell | Out-String | Invoke-Expression': t`PowerShell: add to $PROFILE`,
    },
  },
};

export const commandEntries = Object.entries(commandTable) as readonly [CommandName, Command][];
