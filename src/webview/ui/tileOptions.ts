import { t } from '../../core/safety/localize';
import { element, iconButton, setText } from './element';
import { icon } from './icon';
import { slider } from './slider';

/** How large the tiles of a grid are, and whether they show all of a picture or fill their frame with it. */
export interface TileChoice {
  /** Pixels, about. */
  readonly width: number;
  readonly isWhole: boolean;
}

/** The choice that a panel remembers, unchecked. */
export function readTileChoice(known: Partial<TileChoice> | undefined): TileChoice {
  const width = known?.width ?? 176;
  return { width: width >= 96 && width <= 384 ? width : 176, isWhole: known?.isWhole === true };
}

/** The fields for it. */
export function tileOptions(choice: TileChoice, onChange: (choice: TileChoice) => void): HTMLElement {
  let { width, isWhole } = choice;
  const size = slider({ min: '96', max: '384', step: '16', value: String(width) });
  const value = element('output', {});
  const whole = iconButton(icon('fit'), t`Show Whole Images`, () => {
    isWhole = !isWhole;
    show();
  });
  const show = (): void => {
    width = Number(size.value);
    setText(value, t`${width} px`);
    size.setAttribute('aria-valuetext', value.textContent);
    whole.setAttribute('aria-pressed', String(isWhole));
    onChange({ width, isWhole });
  };
  size.addEventListener('input', show);
  show();
  const label = element('label', {}, t`Size`, size, value);
  return element('div', { class: 'tile-options' }, label, whole);
}
