/** Outlines on a 16 x 16 grid, drawn in the text color. */
const outlines = {
  waiting: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M8 5v3.2l2.2 1.3',
  running: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  done: 'M3 8.5l3.2 3.2L13 4.8',
  failed: 'M4 4l8 8M12 4l-8 8',
  cancelled: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M4.2 4.2l7.6 7.6',
  warning: 'M8 2.5L14 13H2zM8 6.3v3.4M8 11.4v.4',
  lost: 'M5.8 6.2c0-3 4.6-3 4.6 0c0 2-2.3 1.8-2.3 3.6M8.1 12.2v.4',
  open: 'M6 3H3v10h10v-3M9 3h4v4M13 3L7.5 8.5',
  reveal: 'M2 4.5h4.5l1.2 1.5H14v6.5H2z',
  saveAs: 'M8 2.5v7M5 7l3 3l3-3M3 13h10',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  fit: 'M2.5 6v-3.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  zoomIn: 'M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9M10.3 10.3L14 14M7 5v4M5 7h4',
  zoomOut: 'M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9M10.3 10.3L14 14M5 7h4',
  play: 'M5 3.2v9.6L12.5 8z',
  pause: 'M5.2 3.5v9M10.8 3.5v9',
  loop: 'M3.5 9.5v-1a3 3 0 0 1 3-3h6M10.5 3.5l2 2l-2 2M12.5 8v1a3 3 0 0 1-3 3h-6M5.5 14l-2-2l2-2',
  volume: 'M2.5 6.2v3.6h2.3L8 12.6V3.4L4.8 6.2zM10.3 6a3 3 0 0 1 0 4M12 4.3a5.4 5.4 0 0 1 0 7.4',
  again: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.6v2.6h-2.6',
  vary: 'M2.5 11.5L10 4l2.2 2.2l-7.5 7.3H2.5zM8.5 5.5l2.2 2.2',
  remove: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9M6.8 7v4M9.2 7v4',
  compare: 'M8 2v12M6 4.5H2.5v7H6M10 4.5h3.5v7H10',
  star: 'M8 2l1.8 3.8l4.2.5l-3.1 2.9l.8 4.2L8 11.3l-3.7 2.1l.8-4.2L2 6.3l4.2-.5z',
  picture: 'M2.5 3h11v10h-11zM2.5 11l3.2-3.4l2.6 2.6l2-1.8l3.2 3M10.4 5.8v.2',
  cube: 'M8 2l5.2 3v6L8 14l-5.2-3V5zM2.8 5L8 8l5.2-3M8 8v6',
  text: 'M3 4h10M3 7h10M3 10h10M3 13h6',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  seed: 'M3 3h10v10H3zM5.6 5.6v.2M10.4 5.6v.2M8 8v.2M5.6 10.4v.2M10.4 10.4v.2',
  run: 'M4 2.5h5l3 3v8H4zM6.5 7v4l3.4-2z',
  more: 'M3.5 8v.1M8 8v.1M12.5 8v.1',
  values: 'M2.5 5h11M2.5 11h11M6 3.5v3M10.5 9.5v3',
  back: 'M9.5 3.5L5 8l4.5 4.5',
  previous: 'M3.5 10L8 5.5l4.5 4.5',
  next: 'M3.5 6L8 10.5l4.5-4.5',
  close: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  help: 'M6 6a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1v.6M8 12v.2',
  unfold: 'M4.5 6.5L8 10l3.5-3.5',
  actualSize: 'M4 5l1.5-1v8M12 12V4l-1.5 1M8 6.5v.3M8 9.4v.3',
} as const;

export type IconName = keyof typeof outlines;

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Decoration only: the text beside it, or the button's label, has the meaning. */
export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svgNamespace, 'path');
  path.setAttribute('d', outlines[name]);
  svg.append(path);
  return svg;
}
