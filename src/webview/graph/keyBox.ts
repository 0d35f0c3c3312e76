import { t } from '../../core/safety/localize';
import { element } from '../ui/element';
import { Popover } from './popover';

/** The keys of the page, in a box. */
export class KeyBox {
  readonly #popover: Popover;

  /** @param onLeave takes the focus back */
  constructor(onLeave: () => void) {
    this.#popover = new Popover(onLeave);
  }

  /** @param isComparison of two versions, which can't be changed */
  open(isComparison: boolean): void {
    const rows = [...lookKeys(), ...(isComparison ? differenceKeys() : editKeys())].flatMap(
      ([keys, words]) => [
        element('dt', {}, ...keys.map((key) => element('kbd', {}, key))),
        element('dd', {}, words),
      ],
    );
    const title = t`Keyboard Shortcuts`;
    const heading = element('h2', {}, title);
    this.#popover.open(
      title,
      new DOMRect(innerWidth, 40),
      heading,
      element('dl', { class: 'keys' }, ...rows),
    );
  }
}

type Keys = readonly [keys: readonly string[], words: string];

const lookKeys = (): readonly Keys[] => [
  [['/', 'Ctrl+F'], t`Find in all subgraphs`],
  [['←', '→', '↑', '↓'], t`Next node along the links, or above and below`],
  [['Tab', 'Shift+Tab'], t`Next node of the file, or the one before`],
  [['Shift+←→↑↓'], t`Scroll`],
  [['+', '-', '0'], t`Zoom in, zoom out, fit`],
  [[t`Double-click`], t`Zoom to the node, edit the value, or open the subgraph`],
  [['Space', 'Backspace'], t`Open the subgraph, go back`],
  [['Enter'], t`Go to the node or value in the text`],
];

const editKeys = (): readonly Keys[] => [
  [['F2'], t`Go to the values of the node, edit the value`],
  [['Esc'], t`Leave the value or the node`],
  [['.'], t`Quick fixes`],
  [['O'], t`Open the image`],
  [['Ctrl+M', 'Ctrl+B'], t`Mute, bypass`],
  [['Ctrl+Alt+Enter'], t`Run`],
  [['Ctrl+Z', 'Ctrl+Shift+Z', 'Ctrl+S'], t`Undo, redo, save`],
];

const differenceKeys = (): readonly Keys[] => [[['N', 'P'], t`Next change, change before`]];
