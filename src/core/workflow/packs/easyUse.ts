import { type ExactValue, exactFrom, exactValue, isExactList } from '../../json/exactValue';
import type { GraphNode } from '../graph/graphNode';
import {
  extraWidget,
  fieldText,
  browserJsonText,
  storedNotSent,
  storedAndSent,
  type Widget,
  type WidgetType,
} from '../graph/widget';
import { pickers } from './impact';
import type { NodePack, PackNode, PackValues } from './nodePack';

function textType(value: string): WidgetType {
  return { ...storedAndSent, value };
}

const view = [{ rotate: 0, vertical: 0, zoom: 5, add_angle_prompt: true }];
const toolbar = { select: 'now', unlock: true, last_seed: 0, seed: 0 };

/** Values of the pack's own widgets are texts: lists of choices, or JSON. */
function listText({ name, spec }: Widget, value: ExactValue): ExactValue {
  if (spec?.type === 'EASY_COMBO' && isExactList(value)) {
    return value.filter((each) => typeof each === 'bigint' || typeof each === 'number').join(',');
  }
  if (name === 'select_styles') return fieldText(value);
  return spec?.type.startsWith('EASY_') && typeof value === 'object' && value !== null
    ? browserJsonText(value)
    : value;
}

const ownValue: PackNode = { loadedValue: listText };

/** The text that was shown last. Of several values the last one is sent. */
function readShown({ widgetsValues }: GraphNode): PackValues {
  const place = widgetsValues?.kind === 'array' ? widgetsValues.items.at(-1) : undefined;
  return new Map(place && [['text', { value: fieldText(exactValue(place)), place }]]);
}

const shown: PackNode = {
  row: (number) => (number === 1 ? extraWidget('text', '', storedAndSent) : undefined),
  readValues: readShown,
};

/** The sliders of the layers, which newer files have in `properties` too. */
function loadedSliders({ name }: Widget, value: ExactValue, { properties }: GraphNode): ExactValue {
  const values = properties?.get('values');
  return name === 'values' && values?.kind === 'array' ? fieldText(exactValue(values)) : value;
}

const sliders = Array.from(
  { length: 12 },
  (_, layer) => `${layer}:${layer === 3 ? 2.5 : Number(layer === 6)}`,
);

function loadedNoise({ name, spec }: Widget, value: ExactValue): ExactValue {
  const isOld = name === 'add_noise' && value === 'enable';
  return isOld && spec?.kind === 'combo' && !spec.choices.includes(value) ? 'enable (CPU)' : value;
}

const saving: PackNode = { replacedText: 'save_prefix' };

export const easyUse: NodePack = {
  widgetTypes: {
    EASY_COMBO: textType(''),
    EASY_MULTI_ANGLE: textType(browserJsonText(exactFrom(view))),
    EASY_PROMPT_AWAIT_BAR: textType(browserJsonText(exactFrom(toolbar))),
    EASY_PROMPT_STYLES: textType(''),
    EASY_TABLE_EDITOR: textType(''),
  },
  roles: { 'easy setNode': 'passing', 'easy getNode': 'getter', 'easy bookmark': 'silent' },
  nodes: {
    'easy humanSegmentation': ownValue,
    'easy multiAngle': ownValue,
    'easy promptAwait': ownValue,
    'easy stylesSelector': ownValue,
    'easy tableEditor': ownValue,
    'easy seed': { added: [extraWidget('🎲 Manual Random Seed', null, storedNotSent)] },
    'easy sliderControl': {
      added: [extraWidget('values', sliders.join(','), storedAndSent)],
      loadedValue: loadedSliders,
    },
    'easy latentNoisy': { loadedValue: loadedNoise },
    'easy showAnything': shown,
    'easy showAnythingLazy': shown,
    'easy showLoaderSettingsNames': shown,
    'easy showSpentTime': shown,
    'easy showTensorShape': shown,
    'easy wildcards': { always: pickers },
    'easy wildcardsMatrix': { always: pickers },
    'easy prompt': {
      always: {
        prefix: 'Select the prefix add to the text',
        subject: '👤Select the subject add to the text',
        action: '🎬Select the action add to the text',
        clothes: '👚Select the clothes add to the text',
        environment: '☀️Select the illumination environment add to the text',
        background: '🎞️Select the background add to the text',
        nsfw: '🔞Select the nsfw add to the text',
      },
    },
    'easy imageSave': { replacedText: 'filename_prefix' },
    'easy detailerFix': saving,
    'easy fullkSampler': saving,
    'easy kSampler': saving,
    'easy kSamplerDownscaleUnet': saving,
    'easy kSamplerInpainting': saving,
    'easy kSamplerSDTurbo': saving,
    'easy kSamplerTiled': saving,
  },
  prefixed: { 'easy preSampling': { loadedValue: loadedNoise } },
};
