import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import type { InputSpec, NamedSpec } from '../../src/core/catalog/inputSpec';
import { checkWorkflow } from '../../src/core/check/checkWorkflow';
import { areCompatible } from '../../src/core/check/typeCompatibility';
import { type ExactValue, isExactList } from '../../src/core/json/exactValue';
import { writeExact } from '../../src/core/json/exactWriter';
import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { corpusFolder, corpusNote, corpusText, sampleOf } from '../support/corpus';

/** How many of the options of an option are written: the first only, or those that it brings as well. */
type Depth = 'first' | 'all';

/** Writes prompts around one node: every widget at its default, every socket linked to a node that fits. */
class DefaultPrompt {
  readonly nodes = new Map<string, ExactValue>();

  constructor(
    private readonly catalog: Catalog,
    private readonly depth: Depth,
  ) {}

  /** The ID of a new node; undefined if nothing makes what it needs. */
  add(classType: string, open: readonly string[] = []): string | undefined {
    const definition = this.catalog.get(classType);
    if (!definition || open.includes(classType) || open.length > 5) return undefined;
    const inputs = new Map<string, ExactValue>();
    const required = definition.inputs.filter(({ section }) => section === 'required');
    if (!required.every((each) => this.fill(inputs, each, each.name, [...open, classType]))) return undefined;
    const id = String(this.nodes.size + 1);
    this.nodes.set(
      id,
      new Map<string, ExactValue>([
        ['class_type', classType],
        ['inputs', inputs],
        ['_meta', new Map([['title', classType]])],
      ]),
    );
    return id;
  }

  private fill(
    inputs: Map<string, ExactValue>,
    { spec }: NamedSpec,
    name: string,
    open: readonly string[],
  ): boolean {
    if (spec.kind === 'dynamicCombo') {
      const [branch] = spec.branches;
      if (!branch) return false;
      inputs.set(name, branch.key);
      return branch.inputs.every(
        (each) =>
          each.section !== 'required' ||
          (this.depth === 'first' && each.spec.kind === 'dynamicCombo') ||
          this.fill(inputs, each, `${name}.${each.name}`, open),
      );
    }
    if (spec.kind === 'autogrow') {
      const { template, names } = spec;
      return names
        .slice(0, spec.min)
        .every((each) => !template || this.fill(inputs, template, `${name}.${each}`, open));
    }
    if (spec.kind === 'dynamicSlot' || spec.kind === 'dynamicGroup') return true;
    const value = spec.forceInput ? undefined : literal(spec);
    const given = value ?? this.link(spec, open);
    if (given !== undefined) inputs.set(name, given);
    return given !== undefined;
  }

  private link({ rawType }: InputSpec, open: readonly string[]): ExactValue | undefined {
    for (const classType of this.catalog.classTypes) {
      const outputs = this.catalog.get(classType)?.outputs ?? [];
      const slot = outputs.findIndex(({ type }) => type !== '*' && areCompatible(type, rawType));
      const id = slot < 0 ? undefined : this.add(classType, open);
      if (id !== undefined) return [id, BigInt(slot)];
    }
    return undefined;
  }
}

function literal(spec: InputSpec): ExactValue | undefined {
  // A list in a prompt is a link: the editor wraps others.
  if (isExactList(spec.default)) return new Map([['__value__', spec.default]]);
  if (spec.default !== undefined) return spec.default;
  switch (spec.kind) {
    case 'combo':
      return spec.choices[0] ?? '';
    case 'int':
      return spec.min ?? 0n;
    case 'float':
      return spec.min ?? 0;
    case 'string':
      return '';
    case 'boolean':
      return false;
    default:
      return spec.widgetType === 'STRING' ? '' : undefined;
  }
}

describe.skipIf(corpusFolder === undefined)(`output nodes with their defaults${corpusNote}`, () => {
  it.each<[string, Depth]>([
    ['0.33.0-core', 'first'],
    ['0.33.0-core', 'all'],
    ['0.33.0-core+24packs', 'first'],
    ['0.33.0-core+24packs', 'all'],
  ])('are refused only where the server refuses them: %s, options: %s', (dump, depth) => {
    const catalog = Catalog.fromText(corpusText('object_info', `comfyui-${dump}.json`));
    const outputs = sampleOf(catalog.classTypes.filter((each) => catalog.get(each)?.isOutputNode === true));
    const judged = outputs.map((classType) => {
      const prompt = new DefaultPrompt(catalog, depth);
      if (prompt.add(classType) === undefined) return { classType, made: false, accepted: false, errors: [] };
      const text = writeExact(prompt.nodes);
      const { verdict, findings } = checkWorkflow(WorkflowDocument.of(text), { catalog });
      const errors = findings.filter(({ severity }) => severity === 'error');
      return {
        classType,
        made: true,
        accepted: verdict?.valid === true,
        errors: errors.map(({ code, message }) => `${code} ${message}`),
      };
    });
    const accepted = judged.filter((each) => each.accepted);
    const made = judged.filter((each) => each.made);
    process.stdout.write(
      `${dump} ${depth}: ${outputs.length} output nodes, ${made.length} written, ${accepted.length} accepted\n`,
    );
    expect(accepted.length).toBe(outputs.length);
    expect(accepted.filter(({ errors }) => errors.length > 0)).toEqual([]);
  });
});
