import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { type ExactValue, plainFrom } from '../../src/core/json/exactValue';
import { layOutWidgets, widgetTypeName } from '../../src/core/workflow/graph/widgets';
import { findPackNode, nodePacks } from '../../src/core/workflow/packs/packs';
import type { NodeDefinition } from '../../src/core/catalog/nodeDefinition';
import type { Widget } from '../../src/core/workflow/graph/widget';
import { corpusText, hasToday, todayNote } from '../support/corpus';

interface GoldenWidget {
  readonly name: string;
  readonly type?: string;
  readonly value?: unknown;
  readonly file?: boolean;
  readonly api?: boolean;
}

interface GoldenNode {
  readonly widgets: readonly GoldenWidget[];
  readonly inputs: readonly { readonly name: string; readonly type: string; readonly widget?: string }[];
  readonly outputs: readonly { readonly name: string }[];
}

/**
 * A widget in one line: its name, where it is stored and its initial value. A folder of the server's machine is its
 * last part: the definitions and the editor's answers need not come from the same machine.
 */
function line(name: string, file: boolean, api: boolean, value: unknown): string {
  const shown = typeof value === 'string' && value.startsWith('/') ? path.posix.basename(value) : value;
  return `${name}${file ? '' : ' not in file'}${api ? '' : ' not in prompt'} = ${JSON.stringify(shown)}`;
}

/** What shows a row of a dynamic group, and its buttons: nothing of it is stored or sent. */
function isOfRow({ name, type = '' }: GoldenWidget): boolean {
  return type.startsWith('dynamic_group_') || name.endsWith('.$add');
}

function ours(widget: Widget, golden: GoldenWidget | undefined): string {
  const value = plain(widget.defaultValue);
  const shown = golden?.value === '(long)' && String(value).length > 200 ? '(long)' : value;
  return line(widget.name, widget.isStored, widget.isSent, shown);
}

function isOfPack({ classType, inputs }: NodeDefinition): boolean {
  const types = new Set(nodePacks.flatMap(({ widgetTypes = {} }) => Object.keys(widgetTypes)));
  return findPackNode(classType) !== undefined || inputs.some((input) => types.has(widgetTypeName(input)));
}

function plain(value: ExactValue | undefined): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(plainFrom(value)));
}

describe.skipIf(!hasToday)(`widgets of today's page${todayNote}`, () => {
  it.each([
    ['core', ['object_info', 'comfyui-0.33.0-core.json']],
    ['core+24packs', ['object_info', 'comfyui-0.33.0-core+24packs.json']],
    ['core-0.40r', ['today', 'object_info', 'comfyui-0.40r-core.json']],
  ])('match for every node type of %s', (dump, definitions) => {
    const catalog = Catalog.fromText(corpusText(...definitions));
    const answers = corpusText('today', 'golden_widgets', `${dump}.json`);
    const golden = JSON.parse(answers) as Record<string, GoldenNode>;
    const wrong: string[] = [];
    for (const [classType, answer] of Object.entries(golden)) {
      const expected = { ...answer, widgets: answer.widgets.filter((each) => !isOfRow(each)) };
      const definition = catalog.get(classType);
      if (!definition) throw new Error(`no definition of ${classType}`);
      // The answers are those of a page without the JavaScript of node packs.
      if (isOfPack(definition)) continue;
      const layout = layOutWidgets(definition, () => undefined);
      const made = {
        widgets: layout.widgets.map((widget, index) => ours(widget, expected.widgets[index])),
        inputs: layout.slots.map((slot) => [slot.name, slot.type, slot.widget]),
        outputs: definition.outputs.map(({ name }) => name),
      };
      const real = {
        widgets: expected.widgets.map(({ name, file, api, value }) => {
          return line(name, file !== false, api !== false, value);
        }),
        inputs: expected.inputs.map((slot) => [slot.name, slot.type, slot.widget]),
        outputs: expected.outputs.map(({ name }) => name),
      };
      for (const part of ['widgets', 'inputs', 'outputs'] as const) {
        if (JSON.stringify(made[part]) !== JSON.stringify(real[part])) {
          wrong.push(
            `${classType} ${part}\n    real ${JSON.stringify(real[part])}\n    ours ${JSON.stringify(made[part])}`,
          );
        }
      }
    }
    const total = Object.keys(golden).length;
    process.stdout.write(
      `${dump}: ${total} classes, ${wrong.length} differences\n${wrong.join('\n').slice(0, 20000)}\n`,
    );
    expect(wrong).toEqual([]);
  });
});
