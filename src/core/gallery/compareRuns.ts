import type { RunRecord } from '../outputs/runRecord';
import { displayLanguage, t } from '../safety/localize';
import { type Prompt, promptFromText, type PromptInput } from '../workflow/prompt';

/** Something that differs between runs. */
export interface RunDifference {
  readonly group: 'values' | 'seeds' | 'models' | 'run';
  readonly name: string;
  /** In the order of the runs; empty where a run does not have it. */
  readonly values: readonly string[];
}

/** Longer prompts are not compared: reading them would be felt. */
const longestPrompt = 2_000_000;
/** Rows beyond this say no more. */
const mostDifferences = 500;
const longestValue = 2_000;

/** Only what differs between runs: seeds, values and models by node, then server, versions and times. */
export function runDifferences(
  runs: readonly RunRecord[],
  serverName: (origin: string) => string = (origin) => origin,
): readonly RunDifference[] {
  const found = [...inputDifferences(runs), ...runFacts(runs, serverName)];
  return found.filter(({ values }) => values.some((value) => value !== values[0])).slice(0, mostDifferences);
}

/** Whether the values of a run can be compared. */
export function isComparable({ promptText }: RunRecord): boolean {
  return promptText !== undefined && promptText.length <= longestPrompt;
}

interface Found {
  readonly group: RunDifference['group'];
  readonly name: string;
  readonly values: string[];
}

const groups = ['seeds', 'values', 'models'] as const;

function inputDifferences(runs: readonly RunRecord[]): readonly RunDifference[] {
  const found = new Map<string, Found>();
  for (const [index, run] of runs.entries()) {
    if (run.promptText === undefined || !isComparable(run)) continue;
    const prompt = promptFromText(run.promptText);
    for (const node of prompt.nodes) {
      const note = (input: string, name: string, group: Found['group'], value: string): void => {
        // Nodes of different types that share an ID have nothing in common.
        const key = `${node.id} ${node.classType ?? ''} ${input}`;
        const known = found.get(key) ?? { group, name, values: runs.map(() => '') };
        known.values[index] = value.slice(0, longestValue);
        found.set(key, known);
      };
      const title = node.title ?? node.classType ?? t`node ${node.id}`;
      if (node.inputs.length === 0) note('', title, 'values', t`yes`);
      for (const input of node.inputs) {
        const group = groupOf(run, node.id, input);
        note(input.name, `${title} (${node.id}), ${input.name}`, group, valueText(prompt, input));
      }
    }
  }
  return groups.flatMap((group) => [...found.values()].filter((each) => each.group === group));
}

function groupOf({ seeds }: RunRecord, nodeId: string, { name, valueNode }: PromptInput): Found['group'] {
  if (Object.hasOwn(seeds, `${nodeId}.${name}`)) return 'seeds';
  const isModel =
    valueNode.kind === 'string' && /\.(safetensors|ckpt|pth?|bin|gguf|sft|onnx)$/i.test(valueNode.value);
  return isModel ? 'models' : 'values';
}

/** Every digit as it was sent. */
function valueText({ document }: Prompt, { link, valueNode }: PromptInput): string {
  if (link) return t`from node ${link.nodeId}, output ${link.slot + 1}`;
  if (valueNode.kind === 'string') return valueNode.value;
  return document.text.slice(valueNode.offset, valueNode.offset + valueNode.length);
}

function runFacts(
  runs: readonly RunRecord[],
  serverName: (origin: string) => string,
): readonly RunDifference[] {
  const fact = (name: string, value: (run: RunRecord) => string | undefined): RunDifference => ({
    group: 'run',
    name,
    values: runs.map((run) => value(run) ?? ''),
  });
  return [
    fact(t`Workflow`, ({ label }) => label),
    fact(t`Server`, ({ server }) => serverName(server)),
    fact(t`ComfyUI version`, ({ serverVersion }) => serverVersion),
    fact(t`Created by`, ({ madeBy }) => madeBy),
    fact(t`Submitted`, ({ sentAt, submittedAt }) => localTime(sentAt ?? submittedAt)),
    fact(t`Duration`, took),
    fact(
      t`Nodes cached`,
      ({ nodes }) => nodes && String(Object.values(nodes).filter(({ cached }) => cached).length),
    ),
  ];
}

function localTime(iso: string | undefined): string | undefined {
  const time = Date.parse(iso ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toLocaleString(displayLanguage());
}

function took({ startedAt, submittedAt, endedAt }: RunRecord): string | undefined {
  const ms = Date.parse(endedAt ?? '') - Date.parse(startedAt ?? submittedAt ?? '');
  return Number.isNaN(ms) || ms < 0 ? undefined : t`${(ms / 1000).toFixed(1)} s`;
}
