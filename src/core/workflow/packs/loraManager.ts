import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { type ExactValue, exactFrom, exactValue, isExactList, isExactObject } from '../../json/exactValue';
import type { GraphNode } from '../graph/graphNode';
import { extraWidget, fieldText, storedAndSent, type Widget, type WidgetType } from '../graph/widget';
import type { NodePack, PackNode, PackValue, PackValues } from './nodePack';

const meta = extraWidget(
  '__lm_autocomplete_meta_text',
  exactFrom({ version: 1, textWidgetName: 'text' }),
  storedAndSent,
);
const text: WidgetType = { ...storedAndSent, value: '', before: [meta] };
const config: WidgetType = { ...storedAndSent, value: undefined };
const plainKinds = new Set(['int', 'float', 'string', 'boolean', 'combo']);
const ownTypes = /^(?:LORAS|LORA_POOL_CONFIG|RANDOMIZER_CONFIG|CYCLER_CONFIG)$/;

/** The names of the values in a list: as the file has them, or else as the widgets of the definition. */
function namesOf(properties: GraphNode['properties'], { inputs }: NodeDefinition, count: number): string[] {
  const kept = properties?.get('__lm_widget_ids');
  if (kept?.kind === 'array') return kept.items.map((each) => (each.kind === 'string' ? each.value : ''));
  const names = inputs.flatMap(({ name, spec }) => {
    if (spec.type.startsWith('AUTOCOMPLETE_TEXT_')) return [meta.name, name];
    return !spec.forceInput && (plainKinds.has(spec.kind) || ownTypes.test(spec.type)) ? [name] : [];
  });
  if (!names.includes('loras')) names.push('loras');
  const older = names.filter((each) => each !== meta.name);
  return count === older.length ? older : names;
}

/** The LoRAs that the text names: the rows of the file first, with their own strengths. */
function lorasIn(textValue: ExactValue | undefined, saved: ExactValue | undefined): ExactValue {
  const named = new Map<ExactValue, ExactValue>();
  const pattern = /<lora:([^:>]+):(-?[\d.]+)(?::(-?[\d.]+))?>/g;
  for (const [, name = '', strength, clip = strength] of fieldText(textValue).matchAll(pattern)) {
    named.set(
      name,
      exactFrom({ name, strength: Number(strength), active: true, clipStrength: Number(clip) }),
    );
  }
  const rows = new Map<ExactValue, ExactValue>();
  for (const row of [...(isExactList(saved) ? saved : []), ...named.values()]) {
    const name = isExactObject(row) ? row.get('name') : undefined;
    if (name === undefined || !named.has(name)) continue;
    if (named.get(name) !== row || !rows.has(name)) rows.set(name, row);
  }
  return [...rows.values()].map((row) => {
    const whole = new Map(isExactObject(row) ? row : []);
    const strength = whole.get('strength') ?? 1n;
    const clip = whole.get('clipStrength') ?? strength;
    whole.set('clipStrength', clip);
    whole.set('expanded', whole.get('expanded') ?? Number(clip) !== Number(strength));
    whole.set('locked', whole.get('locked') ?? false);
    return whole;
  });
}

function readLoras(
  { widgetsValues, properties }: GraphNode,
  definition: NodeDefinition,
): PackValues | undefined {
  if (widgetsValues?.kind !== 'array') return undefined;
  const names = namesOf(properties, definition, widgetsValues.items.length);
  const values = new Map<string, PackValue>();
  for (const [index, place] of widgetsValues.items.entries()) {
    const name = names[index];
    if (name !== undefined) values.set(name, { value: exactValue(place), place });
  }
  const rows = values.get('loras');
  values.set('loras', { value: lorasIn(values.get('text')?.value, rows?.value), place: rows?.place });
  return values;
}

const loader: PackNode = { added: [extraWidget('loras', [], storedAndSent)], readValues: readLoras };

function changeTags(value: ExactValue, change: (tag: Map<string, ExactValue>) => void): ExactValue {
  if (!isExactList(value)) return value;
  return value.map((each) => {
    if (!isExactObject(each)) return each;
    const tag = new Map(each);
    change(tag);
    return tag;
  });
}

/** A trigger word with a strength is sent as `(word:1.20)`. */
function sentTags(name: string, value: ExactValue): ExactValue {
  if (name !== 'toggle_trigger_words') return value;
  return changeTags(value, (tag) => {
    const [word, strength] = [tag.get('text'), tag.get('strength')];
    if (typeof word !== 'string' || (typeof strength !== 'number' && typeof strength !== 'bigint')) return;
    tag.set('text', `(${word}:${Number(strength).toFixed(2)})`);
  });
}

function loadedTags({ name }: Widget, value: ExactValue): ExactValue {
  if (name !== 'toggle_trigger_words') return value;
  return changeTags(value, (tag) => tag.set('highlighted', false));
}

export const loraManager: NodePack = {
  widgetTypes: {
    AUTOCOMPLETE_TEXT_LORAS: text,
    AUTOCOMPLETE_TEXT_PROMPT: text,
    LORAS: { ...storedAndSent, value: [] },
    LORA_POOL_CONFIG: config,
    RANDOMIZER_CONFIG: config,
    CYCLER_CONFIG: config,
  },
  nodes: {
    'Create Hook LoRA (LoraManager)': loader,
    'Lora Loader (LoraManager)': loader,
    'Lora Stacker (LoraManager)': loader,
    'WanVideo Lora Select (LoraManager)': loader,
    'Save Image (LoraManager)': { replacedText: 'filename_prefix' },
    'TriggerWord Toggle (LoraManager)': {
      added: [
        extraWidget('toggle_trigger_words', [], storedAndSent),
        extraWidget('orinalMessage', '', storedAndSent),
      ],
      loadedValue: loadedTags,
      sentValue: sentTags,
    },
  },
};
