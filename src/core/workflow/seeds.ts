import type { Catalog } from '../catalog/catalog';
import { expandInputs } from '../catalog/dynamic';
import type { InputSpec } from '../catalog/inputSpec';
import type { TextEdit } from '../json/textEdit';
import { type Prompt, type PromptInput, type PromptNode, valueOf } from './prompt';

/** An edit that puts a new seed in the place of an old one. */
export interface SeedEdit extends TextEdit {
  readonly nodeId: string;
  readonly input: string;
  readonly oldText: string;
}

/** A seed in a prompt and the values it may take. */
export interface Seed {
  readonly node: PromptNode;
  readonly input: PromptInput;
  readonly min: bigint;
  readonly max: bigint;
}

/** Draws a whole number between two limits, both included. */
export type RandomSeed = (min: bigint, max: bigint) => bigint;

/** The web editor holds numbers as doubles: a larger seed would change when a person opens the workflow there. */
const largestInEditor = 2n ** 53n - 1n;

/** Every seed input that nodes are known to have takes this; used where nobody tells the limits. */
const largestAnywhere = 2n ** 31n - 1n;

/**
 * The literal seeds of a prompt: INT inputs named seed or noise_seed, and those that the definition lets the editor
 * change after each run (workflows 2, B). Classes that the catalog does not know are judged by the input's name.
 * Seeds that come over a link belong to the node at its other end.
 */
export function seedsOf(prompt: Prompt, catalog: Catalog | undefined): Seed[] {
  return prompt.nodes.flatMap((node) => {
    const specs = specsOf(node, catalog);
    return node.inputs.flatMap((input) => {
      if (input.valueNode.kind !== 'number') return [];
      const limits = specs ? limitsOf(input.name, specs.get(input.name)) : limitsByName(input.name);
      return limits ? [{ node, input, ...limits }] : [];
    });
  });
}

/** Edits that give every seed of the prompt a new value. Only the digits change; nothing else in the text is touched. */
export function newSeedEdits(
  prompt: Prompt,
  catalog: Catalog | undefined,
  randomSeed: RandomSeed,
): SeedEdit[] {
  return seedsOf(prompt, catalog).map(({ node, input, min, max }) => {
    const { offset, length } = input.valueNode;
    const oldText = prompt.document.text.slice(offset, offset + length);
    return {
      offset,
      length,
      newText: randomSeed(min, max).toString(),
      nodeId: node.id,
      input: input.name,
      oldText,
    };
  });
}

function specsOf(node: PromptNode, catalog: Catalog | undefined): Map<string, InputSpec> | undefined {
  const definition = node.classType === undefined ? undefined : catalog?.get(node.classType);
  if (!definition) return undefined;
  const given = new Map(node.inputs.map((input) => [input.name, valueOf(input)]));
  return new Map(expandInputs(definition, given).inputs.map(({ name, spec }) => [name, spec]));
}

function limitsOf(name: string, spec: InputSpec | undefined): { min: bigint; max: bigint } | undefined {
  if (spec?.kind !== 'int' || (spec.controlAfterGenerate === false && !isSeedName(name))) return undefined;
  const min = larger(whole(spec.min) ?? 0n, 0n);
  const max = smaller(whole(spec.max) ?? largestAnywhere, largestInEditor);
  return min <= max ? { min, max } : undefined;
}

function limitsByName(name: string): { min: bigint; max: bigint } | undefined {
  return isSeedName(name) ? { min: 0n, max: largestAnywhere } : undefined;
}

function isSeedName(name: string): boolean {
  return /(?:^|\.)(?:noise_)?seed$/.test(name);
}

function whole(limit: bigint | number | undefined): bigint | undefined {
  if (typeof limit !== 'number') return limit;
  return Number.isFinite(limit) ? BigInt(Math.trunc(limit)) : undefined;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
