import { listAt } from '../../safety/lists';
import type { Catalog } from '../../catalog/catalog';
import type { InputSpec } from '../../catalog/inputSpec';
import type { OutputDefinition } from '../../catalog/nodeDefinition';
import type { ExactValue } from '../../json/exactValue';
import { groupByKey } from '../../workflow/graph/grouped';
import type { Prompt, PromptNode } from '../../workflow/prompt';
import { promptNodeDefinition, outputFitsInput, promptNodeName, typeText } from './nodeInputs';
import { findDependents } from './promptLinks';
import { memoizeByObject } from '../../safety/memoizeByObject';

interface Wanted {
  readonly name: string;
  readonly spec: InputSpec;
}

export interface LinkSource {
  readonly node: PromptNode;
  readonly slot: number;
  /** Undefined if the node type is unknown: then only slot 0 is suggested. */
  readonly output: OutputDefinition | undefined;
  readonly label: string;
  readonly type: string;
  /** 0: same type and name, 1: same type, 2: compatible type, 3: unknown. */
  readonly rank: number;
}

/** The outputs that match an input by type and close no cycle: same types first, then near nodes. */
export function linkTargets(
  prompt: Prompt,
  consumer: PromptNode,
  wanted: Wanted | undefined,
  catalog: Catalog | undefined,
): LinkSource[] {
  const loops = findDependents(prompt, consumer.id);
  const here = prompt.nodes.indexOf(consumer);
  const targets = prompt.nodes.flatMap((node, index) => {
    if (loops.has(node.id)) return [];
    return targetsOf(node, wanted, catalog).map((target) => ({ target, distance: Math.abs(here - index) }));
  });
  targets.sort(
    (a, b) => a.target.rank - b.target.rank || a.distance - b.distance || a.target.slot - b.target.slot,
  );
  return targets.map(({ target }) => target);
}

/** The only output that certainly matches an input: of the same type, and without closing a cycle. */
export function onlyTarget(
  prompt: Prompt,
  consumer: PromptNode,
  wanted: Wanted,
  catalog: Catalog,
): LinkSource | undefined {
  const places = listAt(outputsIn(prompt, catalog), wanted.spec.rawType);
  const matching = places.filter(({ output }) => outputFitsInput(output, wanted.spec));
  if (matching.length === 0) return undefined;
  const loops = findDependents(prompt, consumer.id);
  const [only, another] = matching.filter(({ node }) => !loops.has(node.id));
  if (!only || another) return undefined;
  return targetsOf(only.node, wanted, catalog).find(({ slot }) => slot === only.slot);
}

type Outputs = ReadonlyMap<
  ExactValue,
  readonly { readonly node: PromptNode; readonly slot: number; readonly output: OutputDefinition }[]
>;

/** Outputs by type, collected once for all broken links of a file. */
const outputsIn = memoizeByObject((prompt: Prompt, catalog: Catalog): Outputs => {
  const all = prompt.nodes.flatMap((node) =>
    (promptNodeDefinition(node, catalog)?.outputs ?? []).map((output, slot) => ({ node, slot, output })),
  );
  return groupByKey<ExactValue, (typeof all)[number]>(all, ({ output }) => output.type);
});

/** `["4", 1]`, as most files write it. */
export function promptLinkText(nodeId: string, slot: number): string {
  return `[${JSON.stringify(nodeId)}, ${slot}]`;
}

function targetsOf(node: PromptNode, wanted: Wanted | undefined, catalog: Catalog | undefined): LinkSource[] {
  const definition = promptNodeDefinition(node, catalog);
  const name = promptNodeName(node, catalog);
  if (!definition) return [{ node, slot: 0, output: undefined, label: name, type: '', rank: 3 }];
  return definition.outputs.flatMap((output, slot): LinkSource[] => {
    if (wanted && !outputFitsInput(output, wanted.spec)) return [];
    const isVery = wanted !== undefined && output.type === wanted.spec.rawType;
    const isNamesake = isVery && output.name.toLowerCase() === wanted.name.toLowerCase();
    const label = `${name} · ${output.name}`;
    return [
      { node, slot, output, label, type: typeText(output.type), rank: isNamesake ? 0 : isVery ? 1 : 2 },
    ];
  });
}
