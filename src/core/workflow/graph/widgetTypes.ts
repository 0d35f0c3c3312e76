import { exactFrom } from '../../json/exactValue';
import { packs } from '../packs/packs';
import { neither, notSent, sent, type WidgetType } from './widget';

const text = { ...sent, value: '' };

/** From 0 to 1. */
const unitLine = [0, 1].map((end) => [end, end]);

/** The types that have a widget, those of node packs among them; everything else is a socket (workflows 2, B). */
export const widgetTypes: ReadonlyMap<string, WidgetType> = new Map<string, WidgetType>([
  ['INT', { ...sent, value: 0n }],
  ['FLOAT', { ...sent, value: 0n }],
  ['BOOLEAN', { ...sent, value: false }],
  ['STRING', text],
  ['COMBO', text],
  ['MARKDOWN', text],
  ['TEXTAREA', text],
  ['COLOR', { ...sent, value: '#000000' }],
  ['COLORS', { ...sent, value: [] }],
  ['CURVE', { ...sent, value: exactFrom({ points: unitLine, interpolation: 'monotone_cubic' }) }],
  ['RANGE', { ...sent, value: exactFrom({ min: 0, max: 1 }) }],
  ['BOUNDING_BOX', { ...sent, value: exactFrom({ x: 0, y: 0, width: 512, height: 512 }) }],
  ['BOUNDING_BOXES', { ...sent, value: [] }],
  ['CHART', { ...sent, value: new Map() }],
  ['GALLERIA', text],
  ['PAINTER', text],
  ['COMPOSITOR', text],
  ['IMAGECOMPARE', { isStored: false, isSent: true, value: ['', ''] }],
  ['IMAGEUPLOAD', { ...notSent, value: 'image' }],
  ['COMFY_DYNAMICCOMBO_V3', text],
  ['COMFY_DYNAMICGROUP_V3', { ...notSent, slotType: null, value: 0n }],
  ['AUDIO_UI', { ...neither, value: '' }],
  ['AUDIOUPLOAD', { ...notSent, value: '' }],
  ['AUDIO_RECORD', text],
  ['WEBCAM', text],
  ['LOAD_3D', text],
  ['LOAD_3D_ADVANCED', text],
  ['PREVIEW_3D', text],
  ['VIDEO_EDIT', text],
  ['RESOLUTION_PREVIEW', { ...neither, value: undefined }],
  ['CAMERA_INFO_STATE', { ...neither, name: 'camera_info_state', value: undefined }],
  ['CAMERA_ANGLE_VIEW', { ...notSent, name: 'view', value: 'camera' }],
  ['LIGHT_INFO_PREVIEW', { ...sent, value: [] }],
  ['COMFY_BRANCH_SELECTOR', text],
  ['COMFY_BRANCH_INPUT_NAMES', { ...sent, slotType: null, value: undefined }],
  ...packs.flatMap((pack) => Object.entries(pack.widgetTypes ?? {})),
]);
