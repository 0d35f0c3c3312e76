import { element } from './element';

/** Has a track in theme colors: browsers draw it white in dark themes if the accent color has little contrast. */
export function slider(attributes: Readonly<Record<string, string>>): HTMLInputElement {
  const made = element('input', { type: 'range', ...attributes });
  made.addEventListener('input', () => showShare(made));
  showShare(made);
  return made;
}

/** Moves the slider; set its range first. */
export function setSlider(target: HTMLInputElement, value: number): void {
  target.value = String(value);
  showShare(target);
}

function showShare(target: HTMLInputElement): void {
  const [from, to] = [Number(target.min || '0'), Number(target.max || '100')];
  const share = to > from ? (Number(target.value) - from) / (to - from) : 0;
  target.style.setProperty('--share', String(share));
}
