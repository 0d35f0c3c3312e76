import type { NodeMark } from './drawnNode';

type Pairs<Name extends string> = Readonly<Record<Name, readonly [dark: string, light: string]>>;

/** Colors of the page's canvas, in its two palettes (measured with its page 1.49.6). */
const colors = {
  title: ['#999999', '#222222'],
  slotText: ['#AAAAAA', '#444444'],
  node: ['#333333', '#F7F7F7'],
  body: ['#353535', '#F5F5F5'],
  dot: ['#666666', '#CCCCCC'],
  textBox: ['#222222', '#C9C9C9'],
  boxText: ['#DDDDDD', '#222222'],
  widget: ['#222222', '#D4D4D4'],
  outline: ['#666666', '#999999'],
  value: ['#DDDDDD', '#222222'],
  label: ['#999999', '#555555'],
  deadArrow: ['#666666', '#999999'],
  badge: ['#0F1F0F', '#FFFFFF'],
  badgeText: ['#FFFFFF', '#000000'],
  bracket: ['#EFEFEF', '#999999'],
  /** The color of links whose type has none. */
  link: ['#99AA99', '#4CAF50'],
} as const;

const types = {
  SAMPLER: ['#ECB4B4', '#ECB4B4'],
  SIGMAS: ['#CDFFCD', '#CDFFCD'],
  GUIDER: ['#66FFFF', '#66FFFF'],
  NOISE: ['#B0B0B0', '#B0B0B0'],
  TAESD: ['#DCC274', '#DCC274'],
  MODEL: ['#B39DDB', '#7E57C2'],
  CONDITIONING: ['#FFA931', '#EF5350'],
  LATENT: ['#FF9CF9', '#AB47BC'],
  CLIP: ['#FFD500', '#FFA726'],
  VAE: ['#FF6E6E', '#FF7043'],
  IMAGE: ['#64B5F6', '#42A5F5'],
  MASK: ['#81C784', '#9CCC65'],
  CLIP_VISION: ['#A8DADC', '#5C6BC0'],
  CLIP_VISION_OUTPUT: ['#AD7452', '#8D6E63'],
  STYLE_MODEL: ['#C2FFAE', '#D4E157'],
  CONTROL_NET: ['#6EE7B7', '#66BB6A'],
} as const;

const changes: Pairs<NodeMark['kind']> = {
  added: ['#3FB950', '#1A7F37'],
  removed: ['#F85149', '#CF222E'],
  changed: ['#D29922', '#9A6700'],
};

function picked<Name extends string>(pairs: Pairs<Name>, at: 0 | 1): Readonly<Record<Name, string>> {
  const entries = Object.entries<readonly string[]>(pairs).map(([name, pair]) => [name, pair[at]]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

export interface Palette extends Readonly<Record<keyof typeof colors, string>> {
  readonly grid: readonly [field: string, line: string, edge: string];
  readonly lighten: number;
  readonly types: Readonly<Record<string, string>>;
  readonly changes: Readonly<Record<NodeMark['kind'], string>>;
}

function palette(at: 0 | 1, grid: Palette['grid'], lighten: number): Palette {
  return {
    ...picked(colors, at),
    grid,
    lighten,
    types: picked(types, at),
    changes: picked(changes, at),
  };
}

export const palettes = {
  dark: palette(0, ['#222222', '#191919', '#141414'], 0),
  light: palette(1, ['#DDDDDD', '#E6E6E6', '#EBEBEB'], 0.5),
} as const;

const hex = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const functional = /^(?:rgb|hsl)a?\([\d.,%\s/-]{1,60}\)$/i;
const named = /^[a-z]{3,20}$/i;

/** A color of a file as it is drawn; undefined if it isn't a color, since it goes into an attribute. */
export function fileColor(
  color: string | undefined,
  { lighten }: Pick<Palette, 'lighten'>,
  isOpaque = false,
): string | undefined {
  if (color === undefined) return undefined;
  const text = color.trim();
  if (!hex.test(text)) return functional.test(text) || named.test(text) ? text : undefined;
  const digits = text.length < 6 ? text.slice(1).replace(/./g, '$&$&') : text.slice(1);
  const alpha = isOpaque ? '' : digits.slice(6);
  if (lighten === 0) return `#${digits.slice(0, 6)}${alpha}`;
  const parts = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255);
  return `#${lightened(parts, lighten)}${alpha}`;
}

/** More lightness at the same hue and saturation, as of HSL. */
function lightened(parts: readonly number[], by: number): string {
  const lightness = (Math.max(...parts) + Math.min(...parts)) / 2;
  const next = Math.min(1, lightness + by);
  const roomAt = (level: number): number => 1 - Math.abs(2 * level - 1);
  // Black and white have no hue.
  const spread = roomAt(lightness) === 0 ? 0 : roomAt(next) / roomAt(lightness);
  return parts
    .map((part) => Math.round(255 * (next + (part - lightness) * spread)))
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('');
}
