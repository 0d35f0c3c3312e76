import type { InputSpec, IntSpec, NamedSpec } from '../../catalog/inputSpec';
import type { NodeDefinition } from '../../catalog/nodeDefinition';
import { readInputSpec } from '../../catalog/readInputSpec';
import { type ExactValue, isExactObject, exactFrom } from '../../json/exactValue';
import {
  extraWidget as extra,
  neitherStoredNorSent,
  storedNotSent,
  storedAndSent,
  type Widget,
  type WidgetUse,
  type WidgetType,
} from './widget';
import { findPackNode, nodePacks } from '../packs/packs';

const text = { ...storedAndSent, value: '' };

const unitLine = [0, 1].map((end) => [end, end]);

/** The types that have a widget, those of node packs among them; everything else is a socket (workflows 2, B). */
export const widgetTypes: ReadonlyMap<string, WidgetType> = new Map<string, WidgetType>([
  ['INT', { ...storedAndSent, value: 0n }],
  ['FLOAT', { ...storedAndSent, value: 0n }],
  ['BOOLEAN', { ...storedAndSent, value: false }],
  ['STRING', text],
  ['COMBO', text],
  ['MARKDOWN', text],
  ['TEXTAREA', text],
  ['COLOR', { ...storedAndSent, value: '#000000' }],
  ['COLORS', { ...storedAndSent, value: [] }],
  ['CURVE', { ...storedAndSent, value: exactFrom({ points: unitLine, interpolation: 'monotone_cubic' }) }],
  ['RANGE', { ...storedAndSent, value: exactFrom({ min: 0, max: 1 }) }],
  ['BOUNDING_BOX', { ...storedAndSent, value: exactFrom({ x: 0, y: 0, width: 512, height: 512 }) }],
  ['BOUNDING_BOXES', { ...storedAndSent, value: [] }],
  ['CHART', { ...storedAndSent, value: new Map() }],
  ['GALLERIA', text],
  ['PAINTER', text],
  ['COMPOSITOR', text],
  ['IMAGECOMPARE', { isStored: false, isSent: true, value: ['', ''] }],
  ['IMAGEUPLOAD', { ...storedNotSent, value: 'image' }],
  ['COMFY_DYNAMICCOMBO_V3', text],
  ['COMFY_DYNAMICGROUP_V3', { ...storedNotSent, slotType: null, value: 0n }],
  ['AUDIO_UI', { ...neitherStoredNorSent, value: '' }],
  ['AUDIOUPLOAD', { ...storedNotSent, value: '' }],
  ['AUDIO_RECORD', text],
  ['WEBCAM', text],
  ['LOAD_3D', text],
  ['LOAD_3D_ADVANCED', text],
  ['PREVIEW_3D', text],
  ['VIDEO_EDIT', text],
  ['RESOLUTION_PREVIEW', { ...neitherStoredNorSent, value: undefined }],
  ['CAMERA_INFO_STATE', { ...neitherStoredNorSent, name: 'camera_info_state', value: undefined }],
  ['CAMERA_ANGLE_VIEW', { ...storedNotSent, name: 'view', value: 'camera' }],
  ['LIGHT_INFO_PREVIEW', { ...storedAndSent, value: [] }],
  ['COMFY_BRANCH_SELECTOR', text],
  ['COMFY_BRANCH_INPUT_NAMES', { ...storedAndSent, slotType: null, value: undefined }],
  ...nodePacks.flatMap((pack) => Object.entries(pack.widgetTypes ?? {})),
]);

/** An input that the editor adds to those that the server declares. */
export type AddedInput = Pick<NamedSpec, 'name' | 'spec'>;

const audioPlayers = new Set([
  'LoadAudio',
  'SaveAudio',
  'PreviewAudio',
  'SaveAudioMP3',
  'SaveAudioOpus',
  'SaveAudioAdvanced',
]);

const modelViewers = new Set(['Preview3D', 'Preview3DAnimation', 'SaveGLB']);

/** The inputs that the editor appends to the required ones: upload buttons, an audio player, a model viewer. */
export function addedInputs({ classType, inputs }: NodeDefinition): AddedInput[] {
  const added: AddedInput[] = [];
  const required = inputs.filter(({ section }) => section === 'required');
  if (audioPlayers.has(classType)) added.push(addedInput('audioUI', 'AUDIO_UI'));
  if (required.some(({ name, spec }) => name === 'audio' && spec.options.get('audio_upload') === true)) {
    added.push(addedInput('upload', 'AUDIOUPLOAD'));
  }
  if (required.some(({ spec }) => spec.kind === 'combo' && takesPictures(spec))) {
    added.push(addedInput('upload', 'IMAGEUPLOAD'));
  }
  if (modelViewers.has(classType)) added.push(addedInput('image', 'PREVIEW_3D'));
  return added;
}

function addedInput(name: string, type: string): AddedInput {
  return { name, spec: readInputSpec([type]) };
}

function takesPictures({ options }: InputSpec): boolean {
  return ['image_upload', 'video_upload', 'animated_image_upload'].some((each) => options.get(each) === true);
}

interface Following {
  readonly before: readonly Widget[];
  readonly own: WidgetUse;
  readonly after: readonly Widget[];
}

export function followingWidgets(classType: string, type: string, name: string, spec: InputSpec): Following {
  switch (type) {
    case 'INT':
    case 'FLOAT':
      return { before: [], own: storedAndSent, after: controlsOf(type, name, spec) };
    case 'COMBO':
      return { before: [], own: storedAndSent, after: [...controlsOf(type, name, spec), ...refreshOf(spec)] };
    case 'BOUNDING_BOX': {
      const value = [spec.default, widgetTypes.get(type)?.value].find(isExactObject);
      const parts = ['x', 'y', 'width', 'height'].map((part) =>
        extra(part, value?.get(part) ?? 0n, storedNotSent),
      );
      return { before: [], own: storedAndSent, after: parts };
    }
    case 'AUDIO_RECORD':
      return { before: [], own: storedAndSent, after: [extra(name, '', storedNotSent)] };
    case 'LOAD_3D': {
      const before = classType === 'Load3D' ? load3dButtons : [];
      const own =
        classType === 'Load3DAdvanced' ? { ...storedAndSent, slotType: 'LOAD_3D_ADVANCED' } : storedAndSent;
      return { before, own, after: [] };
    }
    case 'LOAD_3D_ANIMATION':
      return { before: load3dButtons, own: storedAndSent, after: [] };
    default:
      return {
        before: widgetTypes.get(type)?.before ?? [],
        own: widgetTypes.get(type) ?? storedAndSent,
        after: [],
      };
  }
}

const load3dButtons = [
  extra('upload 3d model', 'upload3dmodel', storedAndSent),
  extra('upload extra resources', 'uploadExtraResources', storedAndSent),
  extra('clear', 'clear', storedAndSent),
];

export function closingWidgets(classType: string): readonly Widget[] {
  switch (classType) {
    case 'PreviewAny':
    case 'SaveText':
      return [
        extra('preview_text', '', neitherStoredNorSent),
        extra('preview_mode', false, neitherStoredNorSent),
      ];
    case 'WebcamCapture':
      return [extra('waiting for camera...', 'capture', storedAndSent)];
    case 'CustomCombo':
      return [extra('index', -1n, storedAndSent)];
    default:
      return [];
  }
}

/** The widget after a seed, or after a combo that steps through its options with each run. */
function controlsOf(type: string, name: string, spec: InputSpec): Widget[] {
  const asked = spec.options.get(controlWidget);
  const isSeed = type === 'INT' && (name === 'seed' || name === 'noise_seed');
  if (asked === false || asked === '' || (asked === undefined && !isSeed)) return [];
  if (asked !== undefined && asked !== true && typeof asked !== 'string') return [];
  // A text is what happens to the value after a run, or else the name of the widget.
  const mode = type === 'FLOAT' ? 'fixed' : isControlMode(asked) ? asked : 'randomize';
  const isName = typeof asked === 'string' && asked.trim() !== '' && !isControlMode(asked);
  const control = extra(isName ? asked : controlWidget, mode, storedNotSent);
  return spec.kind === 'combo' ? [control, extra('control_filter_list', '', storedNotSent)] : [control];
}

export const controlModes = ['fixed', 'increment', 'decrement', 'randomize'] as const;

/** The widget that says what happens to the value before it after each run. */
export const controlWidget = 'control_after_generate';

/** The value of a widget as it counts: in older files, {@link controlWidget} has true or false. */
export function storedValue<T extends ExactValue | undefined>(name: string, value: T): T | string {
  if (name !== controlWidget || typeof value !== 'boolean') return value;
  return value ? 'randomize' : 'fixed';
}

export function isControlMode(value: unknown): value is string {
  return controlModes.some((mode) => mode === value);
}

function refreshOf(spec: InputSpec): Widget[] {
  if (spec.kind !== 'combo' || spec.remote?.get('refresh_button') !== true) return [];
  return [
    extra('Auto-refresh after generation', false, storedNotSent),
    extra('refresh', 'refresh', storedAndSent),
  ];
}

/** Whether the editor itself sends an input that a node type does not declare (workflows 2, B). */
export function isSentByEditor(definition: NodeDefinition, name: string): boolean {
  const { classType, inputs } = definition;
  if (/^option\d+$/.test(name)) return optionWidget(classType, 1) !== undefined;
  if (addedInputs(definition).some((each) => each.name === name)) return true;
  const around = inputs.flatMap((input) => {
    const { before, after } = followingWidgets(classType, input.spec.type, input.name, input.spec);
    return [...before, ...after];
  });
  const pack = findPackNode(classType);
  const number = Number(/(?<!\d)\d+$/.exec(name)?.[0] ?? 0);
  if ([number, number + 1].some((each) => pack?.row?.(each)?.name === name)) return true;
  const added = [...around, ...closingWidgets(classType), ...(pack?.added ?? [])];
  return added.some((each) => each.isSent && each.name === name);
}

/** The option widgets of a node type whose options the user types: there is always an empty one at the end. */
export function optionWidget(classType: string, number: number): Widget | undefined {
  return classType === 'CustomCombo' ? extra(`option${number}`, '', storedAndSent) : undefined;
}

/** Whether the editor randomizes the value; a control that is fixed or counts does not make it a seed. */
export function isDrawn({ controlAfterGenerate }: IntSpec): boolean {
  return (
    controlAfterGenerate !== false && !/^(?:fixed|increment|decrement)$/.test(String(controlAfterGenerate))
  );
}

export function isSeedInput(name: string, spec: InputSpec | undefined): boolean {
  return spec?.kind === 'int' && (isSeedName(name) || isDrawn(spec));
}

export function isSeedName(name: string): boolean {
  return /(?:^|\.)(?:noise_)?seed$/.test(name);
}
