import { t } from '../../core/safety/localize';
import type { GalleryOutput, RunDifference } from '../contract/gallery';
import { element, iconButton, textButton } from '../ui/element';
import { icon } from '../ui/icon';
import { ImageView } from '../ui/imageView';
import { slider } from '../ui/slider';

type Mode = 'beside' | 'slider' | 'difference';

/** Two or more pictures with one zoom, and below what differs between their runs. */
export class CompareView {
  readonly root: HTMLElement;
  readonly #outputs: readonly GalleryOutput[];
  readonly #pictures = element('div', { class: 'pictures' });
  readonly #differences = element('section', { class: 'differences', 'aria-label': t`Differences` });
  readonly #closed = new AbortController();
  #views: ImageView[] = [];
  #shown = new AbortController();
  #mode: Mode = 'beside';
  readonly #modes: ReadonlyMap<Mode, HTMLButtonElement>;

  constructor(outputs: readonly GalleryOutput[], onClose: () => void) {
    this.#outputs = outputs;
    const back = textButton('', onClose, 'secondary');
    back.append(icon('back'), ' ', t`Back to the Gallery`);
    const mode = (name: Mode, label: string): readonly [Mode, HTMLButtonElement] => {
      const button = textButton(label, () => this.#show(this.#mode === name ? 'beside' : name), 'secondary');
      button.hidden = outputs.length !== 2 || outputs.some(({ kind }) => kind !== 'image');
      return [name, button];
    };
    this.#modes = new Map([mode('slider', t`Slider`), mode('difference', t`Difference`)]);
    const zoom = [
      iconButton(icon('fit'), t`Fit (0)`, () => this.#views[0]?.fit()),
      iconButton(icon('actualSize'), t`Actual size (1)`, () => this.#views[0]?.actualSize()),
      iconButton(icon('zoomOut'), t`Zoom out (-)`, () => this.#views[0]?.zoomBy(0.8)),
      iconButton(icon('zoomIn'), t`Zoom in (+)`, () => this.#views[0]?.zoomBy(1.25)),
    ];
    this.#differences.append(element('p', { class: 'note' }, t`Reading the run records…`));
    this.root = element(
      'section',
      { class: 'compare', 'aria-label': t`Comparison` },
      element(
        'div',
        { class: 'compare-bar', role: 'toolbar', 'aria-label': t`Comparison` },
        back,
        ...this.#modes.values(),
        ...zoom,
      ),
      this.#pictures,
      this.#differences,
    );
    this.root.addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Escape') onClose();
      },
      { signal: this.#closed.signal },
    );
    this.#show('beside');
    queueMicrotask(() => back.focus());
  }

  close(): void {
    this.#shown.abort();
    this.#closed.abort();
    this.root.remove();
  }

  showDifferences(differences: readonly RunDifference[], unknown: readonly number[]): void {
    const heading = element('h2', {}, t`What differs`);
    const missing = this.#outputs.filter(({ id }) => unknown.includes(id)).map(({ name }) => name);
    const note =
      missing.length > 0
        ? t`No readable run record: ${missing.join(', ')}`
        : differences.length === 0
          ? t`No differences in values, seeds, models, or server.`
          : undefined;
    this.#differences.replaceChildren(
      heading,
      ...(note === undefined ? [] : [element('p', { class: 'note' }, note)]),
      ...(differences.length === 0 ? [] : [this.#table(differences)]),
    );
  }

  #table(differences: readonly RunDifference[]): HTMLElement {
    const head = element(
      'tr',
      {},
      element('th', { scope: 'col' }, t`Value`),
      ...this.#outputs.map(({ name }) => element('th', { scope: 'col' }, name)),
    );
    const rows = differences.map(({ name, values, group }) => {
      const cells = values.map((value) => element('td', {}, value === '' ? '–' : value));
      return element('tr', { class: group }, element('th', { scope: 'row' }, name), ...cells);
    });
    const table = element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows));
    return element(
      'div',
      { class: 'table', role: 'region', tabindex: '0', 'aria-label': t`What differs` },
      table,
    );
  }

  #show(mode: Mode): void {
    this.#mode = mode;
    for (const [name, button] of this.#modes) button.setAttribute('aria-pressed', String(name === mode));
    this.#shown.abort();
    this.#shown = new AbortController();
    this.#views = [];
    this.#pictures.classList.toggle('over', mode !== 'beside');
    this.#pictures.replaceChildren(...this.#stages(mode));
  }

  #stages(mode: Mode): HTMLElement[] {
    const [first, second] = this.#outputs;
    if (mode === 'slider' && first && second) return this.#slid(first, second);
    if (mode === 'difference' && first && second) return [this.#subtracted(first, second)];
    return this.#outputs.map((output) =>
      output.kind === 'image' ? this.#stage([output], output.name) : noPicture(output),
    );
  }

  /** Black where both pictures have the same color. */
  #subtracted(below: GalleryOutput, above: GalleryOutput): HTMLElement {
    const stage = this.#stage([below, above], t`Difference between ${below.name} and ${above.name}`);
    stage.classList.add('difference');
    return stage;
  }

  /** The first on the left, as when they are beside each other. */
  #slid(above: GalleryOutput, below: GalleryOutput): HTMLElement[] {
    const stage = this.#stage([below, above], t`${above.name} over ${below.name}`);
    const share = slider({
      min: '0',
      max: '100',
      value: '50',
      'aria-label': t`How much of ${above.name} to show`,
    });
    const show = (): void => stage.style.setProperty('--covered', `${share.value}%`);
    share.addEventListener('input', show);
    show();
    // The stage and the slider say the names.
    const sides = element('div', { class: 'sides', 'aria-hidden': 'true' }, ...[above, below].map(nameBelow));
    return [stage, share, sides];
  }

  /** One picture, or two of which the second covers a share of the first. */
  #stage(outputs: readonly GalleryOutput[], label: string): HTMLElement {
    const { signal } = this.#shown;
    const pictures = outputs.map(({ name, source }) => {
      const picture = element('img', { class: 'picture', alt: name, draggable: 'false' });
      picture.src = source;
      return picture;
    });
    const [first, second] = pictures;
    second?.classList.add('above');
    const placed = element('div', { class: 'placed' }, ...pictures);
    const stage = element(
      'div',
      {
        class: 'stage zoomable',
        role: 'group',
        tabindex: '0',
        'aria-label': t`${label}. Press + or - to zoom, 0 to fit, 1 for actual size.`,
      },
      placed,
    );
    const size = (): { width: number; height: number } => ({
      width: first?.naturalWidth ?? 0,
      height: first?.naturalHeight ?? 0,
    });
    const view = new ImageView(stage, placed, size, signal, () => {
      for (const other of this.#views) if (other !== view) other.follow(view);
    });
    this.#views.push(view);
    first?.addEventListener('load', () => {
      if (second) [second.width, second.height] = [first.naturalWidth, first.naturalHeight];
      view.layout();
    });
    return outputs.length > 1 ? stage : element('figure', {}, stage, nameBelow({ name: label }));
  }
}

function nameBelow({ name }: Pick<GalleryOutput, 'name'>): HTMLElement {
  return element('figcaption', { title: name }, name);
}

/** An output that is no picture, or a run without outputs: only its values are compared. */
function noPicture({ name, source }: GalleryOutput): HTMLElement {
  return element(
    'figure',
    {},
    element(
      'div',
      { class: 'stage no-picture' },
      icon('file'),
      source === '' ? t`No output` : t`Not an image`,
    ),
    nameBelow({ name }),
  );
}
