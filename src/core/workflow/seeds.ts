import type { Catalog } from '../catalog/catalog';
import type { InputSpec, IntSpec } from '../catalog/inputSpec';
import type { NodeDefinition } from '../catalog/nodeDefinition';
import type { TextEdit } from '../json/textEdit';
import { isDrawn, isSeedName } from './graph/extraWidgets';
import { type Groups, groupByKey } from './graph/grouped';
import { inputSpecs, type Prompt, type PromptInput, type PromptNode } from './prompt';

export interface SeedEdit extends TextEdit {
  readonly nodeId: string;
  readonly input: string;
}

export interface Seed {
  readonly node: PromptNode;
  readonly input: PromptInput;
  readonly min: bigint;
  readonly max: bigint;
}

/** Draws an integer between two limits, both included. */
export type RandomSeed = (min: bigint, max: bigint) => bigint;

/** The ComfyUI editor stores numbers as doubles: a larger seed would change there. */
const largestInEditor = 2n ** 53n - 1n;

/** All known seed inputs accept this range; used if the limits are unknown. */
const largestAnywhere = 2n ** 31n - 1n;

/** No real number is passed on through more nodes than this. */
const mostHops = 100;

/** Literal INT inputs that are seeds by name or definition (workflows 2, B), or that nodes only pass on to seeds. */
export function findSeeds(prompt: Prompt, catalog: Catalog | undefined): Seed[] {
  const inputs = new SeedInputs(prompt, catalog);
  return prompt.nodes.flatMap((node) =>
    node.inputs.flatMap((input) => {
      if (input.valueNode.kind !== 'number') return [];
      const limits = inputs.limits(node, input);
      return limits ? [{ node, input, ...limits }] : [];
    }),
  );
}

/** Edits that give every seed of the prompt a new value. They change only the digits. */
export function newSeedEdits(
  prompt: Prompt,
  catalog: Catalog | undefined,
  randomSeed: RandomSeed,
): SeedEdit[] {
  return findSeeds(prompt, catalog).map(({ node, input, min, max }) => {
    const { offset, length } = input.valueNode;
    return { offset, length, newText: String(randomSeed(min, max)), nodeId: node.id, input: input.name };
  });
}

type Limits = Pick<Seed, 'min' | 'max'>;

class SeedInputs {
  #takers: Takers | undefined;
  readonly #specs = new Map<PromptNode, ReadonlyMap<string, InputSpec>>();
  /** Nodes that pass a number on and have been, or are being, checked: a loop contains no seed. */
  readonly #handedOn = new Map<string, Limits | undefined>();

  constructor(
    private readonly prompt: Prompt,
    private readonly catalog: Catalog | undefined,
  ) {}

  /** `hops`: how many nodes have already passed the number on. */
  limits(node: PromptNode, input: PromptInput, hops = 0): Limits | undefined {
    const definition = node.classType === undefined ? undefined : this.catalog?.get(node.classType);
    if (!definition) {
      if (isSeedName(input.name)) return { min: 0n, max: largestAnywhere };
      return looksLikeNumber(node)
        ? this.#whereItGoes(node, { min: 0n, max: largestAnywhere }, hops)
        : undefined;
    }
    const spec = this.#specsOf(node).get(input.name);
    if (spec?.kind !== 'int') return undefined;
    const own = limitsOf(spec);
    if (isSeedName(input.name)) return own;
    if (handsOn(definition)) return own && this.#whereItGoes(node, own, hops);
    return isDrawn(spec) ? own : undefined;
  }

  #specsOf(node: PromptNode): ReadonlyMap<string, InputSpec> {
    const specs = this.#specs.get(node) ?? inputSpecs(node, this.catalog);
    this.#specs.set(node, specs);
    return specs;
  }

  #whereItGoes(node: PromptNode, own: Limits, hops: number): Limits | undefined {
    if (hops > mostHops) return undefined;
    if (this.#handedOn.has(node.id)) return this.#handedOn.get(node.id);
    this.#handedOn.set(node.id, undefined);
    this.#takers ??= takersByOrigin(this.prompt);
    const takers = this.#takers.list(node.id);
    let limits: Limits | undefined = takers.length > 0 ? own : undefined;
    for (const [taker, input] of takers) limits = limits && both(limits, this.limits(taker, input, hops + 1));
    this.#handedOn.set(node.id, limits);
    return limits;
  }
}

type Takers = Groups<string | undefined, readonly [PromptNode, PromptInput]>;

function takersByOrigin({ nodes }: Prompt): Takers {
  const linked = nodes.flatMap((node) =>
    node.inputs.filter(({ link }) => link).map((input) => [node, input] as const),
  );
  return groupByKey(linked, ([, { link }]) => link?.nodeId);
}

function handsOn({ inputs, outputs }: NodeDefinition): boolean {
  const isNumber = outputs.length > 0 && outputs.every(({ type }) => type === 'INT');
  return isNumber && inputs.length === 1 && inputs[0]?.spec.kind === 'int';
}

function looksLikeNumber({ inputs }: PromptNode): boolean {
  const [only, ...others] = inputs;
  if (only?.name !== 'value' || others.length > 0) return false;
  return only.link !== undefined || (only.valueNode.kind === 'number' && only.valueNode.isInteger);
}

function limitsOf(spec: IntSpec): Limits | undefined {
  return both(
    { min: 0n, max: largestInEditor },
    { min: whole(spec.min) ?? 0n, max: whole(spec.max) ?? largestAnywhere },
  );
}

function both(one: Limits, other: Limits | undefined): Limits | undefined {
  if (!other) return undefined;
  const min = one.min > other.min ? one.min : other.min;
  const max = one.max < other.max ? one.max : other.max;
  return min <= max ? { min, max } : undefined;
}

function whole(limit: bigint | number | undefined): bigint | undefined {
  if (typeof limit !== 'number') return limit;
  return Number.isFinite(limit) ? BigInt(Math.trunc(limit)) : undefined;
}
