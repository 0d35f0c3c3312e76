/** An element of an SVG picture. Texts are plain: who writes or builds it escapes them. */
export interface SvgElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (SvgElement | string)[];
}

type Value = string | number | undefined;

/** More than a line has room for; browsers take seconds to lay out a line of a million characters. */
const longestLine = 1_000;

export function svgText(
  tag: string,
  attributes: Readonly<Record<string, Value>>,
  ...children: readonly (SvgElement | string | readonly SvgElement[])[]
): SvgElement {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) given[name] = typeof value === 'number' ? shortNumber(value) : value;
  }
  const all = children.flat();
  return { tag, attributes: given, children: tag === 'text' ? all.map(shortened) : all };
}

export function textElement(
  x: number,
  y: number,
  fill: string,
  text: string,
  more: Readonly<Record<string, Value>> = {},
): SvgElement {
  return svgText('text', { x, y, ...more, fill }, text);
}

function shortened(child: SvgElement | string): SvgElement | string {
  const isLong = typeof child === 'string' && child.length > longestLine;
  return isLong ? `${child.slice(0, longestLine)}…` : child;
}

/** Two digits: a hundredth of a unit is not seen. */
export function shortNumber(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : '0';
}

export function written({ tag, attributes, children }: SvgElement): string {
  const members = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  if (children.length === 0) return `<${tag}${members.join('')}/>`;
  const inside = children.map((child) => (typeof child === 'string' ? escaped(child) : written(child)));
  return `<${tag}${members.join('')}>${inside.join('')}</${tag}>`;
}

/** Characters that XML can't hold, even escaped, are dropped. */
function escaped(text: string): string {
  if (/^[\w #.,()-]*$/.test(text)) return text;
  return text
    .replace(/[\p{Cs}\uFFFE\uFFFF]|(?![\t\n\r])\p{Cc}/gu, '')
    .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
