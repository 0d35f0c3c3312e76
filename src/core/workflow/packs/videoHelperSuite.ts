import type { NamedSpec } from '../../catalog/inputSpec';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { readInputSpec } from '../../catalog/readInputSpec';
import {
  type ExactObject,
  type ExactValue,
  exactValue,
  isExactList,
  isExactObject,
} from '../../json/exactValue';
import { JsonString } from '../../json/node';
import type { GraphNode } from '../graph/graphNode';
import { extraWidget, storedAndSent, sentNumber } from '../graph/widget';
import type { NodePack, PackNode, PackValue, PackValues } from './nodePack';

const ofVideo = [
  'video',
  'force_rate',
  'force_size',
  'frame_load_cap',
  'skip_first_frames',
  'select_every_nth',
];

/** The names of the values in lists of older versions; null for a button. */
const listNames: Readonly<Record<string, readonly (string | null)[]>> = {
  VHS_LoadImages: ['directory', null, 'image_load_cap', 'skip_first_images', 'select_every_nth'],
  VHS_LoadImagesPath: ['directory', 'image_load_cap', 'skip_first_images', 'select_every_nth'],
  VHS_VideoCombine: ['frame_rate', 'loop_count', 'filename_prefix', 'format', 'pingpong', 'save_output'],
  VHS_LoadVideo: ofVideo,
  VHS_LoadVideoPath: ofVideo,
};

function valuesByName({ type, widgetsValues }: GraphNode): Map<string, PackValue> | undefined {
  const values = new Map<string, PackValue>();
  if (widgetsValues?.kind === 'object') {
    for (const { name, value } of widgetsValues.properties) {
      if (value) values.set(name, { value: exactValue(value), place: value });
    }
    const older = values.get('save_image');
    if (older && type === 'VHS_VideoCombine' && !values.has('save_output')) values.set('save_output', older);
    return values;
  }
  const names = listNames[type];
  const items = widgetsValues?.kind === 'array' ? widgetsValues.items : [];
  if (!names || items.length < names.length) return undefined;
  for (const [index, name] of names.entries()) {
    const place = items[index];
    if (name !== null && place) values.set(name, { value: exactValue(place), place });
  }
  return values;
}

/** Before width and height, one text said both: "512x?", "Disabled", "Custom Width". */
function migrateSize(values: Map<string, PackValue>): void {
  const size = values.get('force_size');
  if (typeof size?.value !== 'string') return;
  const [width = '', height] = size.value.split('x');
  if (height !== undefined) {
    values.set('custom_width', sideIn(size, width, 0));
    values.set('custom_height', sideIn(size, height, width.length + 1));
    return;
  }
  // The word says it: no number in the file does.
  const none = { value: 0n, place: undefined };
  if (size.value === 'Disabled' || size.value === 'Custom Height') values.set('custom_width', none);
  if (size.value === 'Disabled' || size.value === 'Custom Width') values.set('custom_height', none);
}

/** One side of a size. Its place is that side in the text: a number elsewhere has no effect. */
function sideIn({ value, place }: PackValue, side: string, start: number): PackValue {
  const isPlain = typeof value === 'string' && place?.length === value.length + 2;
  return {
    value: pixels(side),
    place: isPlain ? new JsonString(place.offset + 1 + start, side.length, side) : undefined,
  };
}

function pixels(text: string): bigint {
  return BigInt(/^\s*(\d{1,9})/.exec(text)?.[1] ?? 0);
}

const stepped = ['custom_width', 'custom_height', 'frame_load_cap'] as const;

interface Step {
  readonly step: number;
  readonly rest: number;
  /** The usual value of the format, which replaces that of the previous format. */
  readonly standard: number | undefined;
}

function stepOf(format: ExactValue | undefined, name: (typeof stepped)[number]): Step | undefined {
  if (!isExactObject(format)) return undefined;
  const list = format.get(name === 'frame_load_cap' ? 'frames' : 'dim');
  if (!isExactList(list)) return undefined;
  const [step, rest, width, height] = list.map(Number);
  const standard = name === 'custom_width' ? width : name === 'custom_height' ? height : undefined;
  return step === undefined || !(step > 0) ? undefined : { step, rest: rest ?? 0, standard };
}

/** A value that is usual for the default format becomes that of the chosen one, and sizes keep to its steps. */
function keepToFormat(values: Map<string, PackValue>, definition: NodeDefinition): void {
  const input = definition.inputs.find(({ name }) => name === 'format');
  const formats = input?.spec.options.get('formats');
  if (!input || !isExactObject(formats)) return;
  const named = (name: ExactValue | undefined): ExactValue | undefined =>
    typeof name === 'string' ? formats.get(name) : undefined;
  const standard = input.spec.default;
  const [first, chosen] = [named(standard), named(values.get('format')?.value ?? standard)];
  const change = (name: string, to: (number: number) => number | undefined): void => {
    const value = values.get(name);
    const number =
      typeof value?.value === 'bigint' || typeof value?.value === 'number' ? Number(value.value) : 0;
    const made = to(number);
    if (value && made !== undefined && made !== number)
      values.set(name, { ...value, value: sentNumber(made) });
  };
  const rateOf = (format: ExactValue | undefined): number | undefined => {
    const rate = isExactObject(format) ? format.get('target_rate') : undefined;
    return rate === undefined ? undefined : Number(rate);
  };
  change('force_rate', (rate) => (rate === rateOf(first) ? rateOf(chosen) : undefined));
  for (const name of stepped) {
    const [before, step] = [stepOf(first, name), stepOf(chosen, name)];
    change(name, (number) => {
      const wanted = before?.standard === number ? (step?.standard ?? number) : number;
      if (!step || wanted === 0) return wanted;
      return Math.round((wanted - step.rest) / step.step) * step.step + step.rest;
    });
  }
}

function readValues(node: GraphNode, definition: NodeDefinition): PackValues | undefined {
  const values = valuesByName(node);
  if (!values) return undefined;
  migrateSize(values);
  keepToFormat(values, definition);
  return values;
}

const knownInputs = new WeakMap<ExactObject, Map<string, readonly NamedSpec[]>>();

function inputsOfFormat(
  definition: NodeDefinition,
  name: string,
  value: ExactValue | undefined,
): readonly NamedSpec[] {
  if (name !== 'format' || typeof value !== 'string') return [];
  const formats = definition.inputs.find((input) => input.name === name)?.spec.options.get('formats');
  if (!isExactObject(formats)) return [];
  const known = knownInputs.get(formats) ?? new Map<string, readonly NamedSpec[]>();
  knownInputs.set(formats, known);
  const inputs = known.get(value) ?? readFormat(formats.get(value));
  known.set(value, inputs);
  return inputs;
}

function readFormat(format: ExactValue | undefined): NamedSpec[] {
  if (!isExactList(format)) return [];
  return format
    .filter(isExactList)
    .flatMap(([name, type = null, options = new Map<string, ExactValue>()]) => {
      if (typeof name !== 'string') return [];
      return { name, section: 'required' as const, spec: readInputSpec([type, options]) };
    });
}

/** Previews, buttons, what was migrated, and what older versions saved for every format. */
const unsent =
  /^(?:videopreview|audiopreview|force_size|save_image|crf|pix_fmt|save_metadata|choose (?:video|audio|folder) to upload)$/;

const everyNode: PackNode = { readValues, unsent, ownTypes: { INT: 'VHSINT', FLOAT: 'VHSFLOAT' } };

export const videoHelperSuite: NodePack = {
  widgetTypes: { VHSTIMESTAMP: { ...storedAndSent, value: 0n } },
  nodes: {
    VHS_VideoCombine: { ...everyNode, inputsAfter: inputsOfFormat, replacedText: 'filename_prefix' },
    VHS_BatchManager: { ...everyNode, added: [extraWidget('count', 0n, storedAndSent)] },
  },
  prefixed: { VHS_: everyNode },
};
