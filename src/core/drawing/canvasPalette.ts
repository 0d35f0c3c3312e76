import type { NodeMark } from './drawnNode';

/** Colors of the page's canvas. */
export interface Palette {
  readonly canvas: string;
  readonly grid: readonly [field: string, line: string, edge: string];
  readonly title: string;
  readonly slotText: string;
  readonly node: string;
  readonly body: string;
  readonly dot: string;
  readonly textBox: string;
  readonly boxText: string;
  readonly widget: string;
  readonly outline: string;
  readonly value: string;
  readonly label: string;
  readonly deadArrow: string;
  readonly badge: string;
  readonly badgeText: string;
  /** Of the boundary of a subgraph. */
  readonly bracket: string;
  /** Of links whose type has no color. */
  readonly link: string;
  /** How much lighter the colors of a file are drawn, in percent. */
  readonly lighten: number;
  readonly types: Readonly<Record<string, string>>;
  /** Of what differs between two versions. */
  readonly changes: Readonly<Record<NodeMark['kind'], string>>;
}

const both = { SAMPLER: '#ECB4B4', SIGMAS: '#CDFFCD', GUIDER: '#66FFFF', NOISE: '#B0B0B0', TAESD: '#DCC274' };

/** The two palettes of the page (measured with its page 1.49.6). */
export const palettes: Readonly<Record<'dark' | 'light', Palette>> = {
  dark: {
    canvas: '#141414',
    grid: ['#222222', '#191919', '#141414'],
    title: '#999999',
    slotText: '#AAAAAA',
    node: '#333333',
    body: '#353535',
    dot: '#666666',
    textBox: '#222222',
    boxText: '#DDDDDD',
    widget: '#222222',
    outline: '#666666',
    value: '#DDDDDD',
    label: '#999999',
    deadArrow: '#666666',
    badge: '#0F1F0F',
    badgeText: '#FFFFFF',
    bracket: '#EFEFEF',
    link: '#99AA99',
    lighten: 0,
    changes: { added: '#3FB950', removed: '#F85149', changed: '#D29922' },
    types: {
      ...both,
      MODEL: '#B39DDB',
      CONDITIONING: '#FFA931',
      LATENT: '#FF9CF9',
      CLIP: '#FFD500',
      VAE: '#FF6E6E',
      IMAGE: '#64B5F6',
      MASK: '#81C784',
      CLIP_VISION: '#A8DADC',
      CLIP_VISION_OUTPUT: '#AD7452',
      STYLE_MODEL: '#C2FFAE',
      CONTROL_NET: '#6EE7B7',
    },
  },
  light: {
    canvas: '#D3D3D3',
    grid: ['#DDDDDD', '#E6E6E6', '#EBEBEB'],
    title: '#222222',
    slotText: '#444444',
    node: '#F7F7F7',
    body: '#F5F5F5',
    dot: '#CCCCCC',
    textBox: '#C9C9C9',
    boxText: '#222222',
    widget: '#D4D4D4',
    outline: '#999999',
    value: '#222222',
    label: '#555555',
    deadArrow: '#999999',
    badge: '#FFFFFF',
    badgeText: '#000000',
    bracket: '#999999',
    link: '#4CAF50',
    lighten: 50,
    changes: { added: '#1A7F37', removed: '#CF222E', changed: '#9A6700' },
    types: {
      ...both,
      MODEL: '#7E57C2',
      CONDITIONING: '#EF5350',
      LATENT: '#AB47BC',
      CLIP: '#FFA726',
      VAE: '#FF7043',
      IMAGE: '#42A5F5',
      MASK: '#9CCC65',
      CLIP_VISION: '#5C6BC0',
      CLIP_VISION_OUTPUT: '#8D6E63',
      STYLE_MODEL: '#D4E157',
      CONTROL_NET: '#66BB6A',
    },
  },
};

const hex = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const functional = /^(?:rgb|hsl)a?\([\d.,%\s/-]{1,60}\)$/i;
const named = /^[a-z]{3,20}$/i;

/** A color of a file as it is drawn; undefined if it is none, since it goes into an attribute. */
export function fileColor(
  color: string | undefined,
  { lighten }: Palette,
  isOpaque = false,
): string | undefined {
  const text = color?.trim() ?? '';
  if (!hex.test(text)) return functional.test(text) || named.test(text) ? text : undefined;
  const digits =
    text.length < 6 ? Array.from(text.slice(1), (digit) => digit + digit).join('') : text.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  const alpha = isOpaque ? '' : digits.slice(6, 8);
  if (lighten === 0) return `#${digits.slice(0, 6)}${alpha}`;
  const lighter = lightened([red, green, blue], lighten / 100);
  return `#${lighter.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}${alpha}`;
}

type Rgb = readonly [number, number, number];

/** More lightness at the same hue and saturation, as of HSL. */
function lightened([red, green, blue]: Rgb, by: number): Rgb {
  const [most, least] = [Math.max(red, green, blue) / 255, Math.min(red, green, blue) / 255];
  const lightness = (most + least) / 2;
  const chroma = most - least;
  const saturation = chroma === 0 ? 0 : chroma / (1 - Math.abs(2 * lightness - 1));
  const next = Math.min(1, lightness + by);
  const room = saturation * (1 - Math.abs(2 * next - 1));
  const moved = (part: number): number => {
    const share = chroma === 0 ? 0.5 : (part / 255 - least) / chroma;
    return 255 * (next + (share - 0.5) * room);
  };
  return [moved(red), moved(green), moved(blue)];
}
