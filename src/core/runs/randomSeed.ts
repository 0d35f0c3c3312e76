import { randomBytes } from 'node:crypto';
import type { OutputFolder } from '../outputs/outputFolder';
import { recordsIn } from '../records/recordFile';
import { objectMember } from '../workflow/graph/members';
import { randomIfNegative } from '../workflow/packs/efficiency';
import { seedLimits, seedType, specialSeeds } from '../workflow/packs/rgthree';
import { promptInputNamed } from '../workflow/prompt';
import type { RandomSeed, SeedEdit } from '../workflow/seeds';
import type { RunSource } from './runChoices';
import type { WorkflowPrompt } from './workflowPrompt';

/** Both limits count, and all numbers are equally likely. */
export function randomSeed(min: bigint, max: bigint): bigint {
  const span = max - min + 1n;
  if (span <= 1n) return min;
  const bytes = Math.ceil(span.toString(2).length / 8);
  const whole = 1n << BigInt(bytes * 8);
  // Draws beyond the last full multiple of the span would favour small numbers.
  const usable = whole - (whole % span);
  for (;;) {
    const drawn = BigInt(`0x${randomBytes(bytes).toString('hex')}`);
    if (drawn < usable) return min + (drawn % span);
  }
}

/**
 * The numbers that the page sends for the seed -1 of efficiency-nodes, which is random, and for -1, -2 and -3 of
 * rgthree's Seed: random ones, or one more or one less than the last seed of that node. In a prompt without its graph,
 * the server chooses.
 * @param last the seeds of the last run, by node and input, as in a run record
 */
export function specialSeedEdits(
  { prompt, graph }: WorkflowPrompt,
  last: Readonly<Record<string, string>>,
  draw: RandomSeed,
): SeedEdit[] {
  if (!graph) return [];
  return prompt.nodes.flatMap((node) => {
    const { classType = '' } = node;
    const input = classType === seedType ? 'seed' : randomIfNegative.get(classType);
    if (input === undefined) return [];
    const seed = promptInputNamed(node, input)?.valueNode;
    const how = seed?.kind === 'number' ? specialSeeds.get(seed.value) : undefined;
    if (!seed || !how || (how !== 'random' && classType !== seedType)) return [];
    const file = graph.source.node(node.id);
    const { min, max } = seedLimits(file?.kind === 'object' ? objectMember(file, 'properties') : undefined);
    const key = `${node.id}.${input}`;
    const before = Object.hasOwn(last, key) ? last[key] : undefined;
    const isNumber = before !== undefined && /^-?\d{1,20}$/.test(before);
    const next = isNumber ? BigInt(before) + (how === 'increment' ? 1n : -1n) : undefined;
    const isDrawn = how === 'random' || next === undefined || specialSeeds.has(Number(next));
    const drawn = isDrawn ? draw(min, max) : next;
    const { offset, length } = seed;
    const newText = String(specialSeeds.has(Number(drawn)) ? 0n : drawn);
    return { offset, length, newText, nodeId: node.id, input };
  });
}

const mostRecords = 200;

/** None are needed for a workflow without special seeds. */
export async function readLastSeeds(
  folder: OutputFolder,
  { workflow, label }: RunSource,
): Promise<Readonly<Record<string, string>>> {
  if (!workflow.text.includes(seedType)) return {};
  for await (const { record } of recordsIn(folder, { newest: mostRecords })) {
    if (record.label === label) return record.seeds;
  }
  return {};
}
