import { element } from './element';

/**
 * A slider whose track is drawn in theme colors: the browser draws it white in dark themes whose accent color would
 * have too little contrast with a dark one.
 */
export function slider(attributes: Readonly<Record<string, string>>): HTMLInputElement {
  const made = element('input', { type: 'range', ...attributes });
  made.addEventListener('input', () => showShare(made));
  showShare(made);
  return made;
}

/** Moves the slider; what its range was set to before counts. */
export function setSlider(target: HTMLInputElement, value: number): void {
  target.value = String(value);
  showShare(target);
}

function showShare(target: HTMLInputElement): void {
  const [from, to] = [Number(target.min || '0'), Number(target.max || '100')];
  const share = to > from ? (Number(target.value) - from) / (to - from) : 0;
  target.style.setProperty('--share', String(share));
}
