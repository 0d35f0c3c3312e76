import { t } from '../../core/safety/localize';
import type { GalleryOutput, RunDifference, ToGallery } from '../contract/gallery';
import { element, iconButton, textButton } from '../ui/element';
import { icon } from '../ui/icon';
import { ImageView } from '../ui/imageView';
import type { Extent } from '../ui/placement';
import { slider } from '../ui/slider';

type Comparison = Extract<ToGallery, { readonly type: 'comparison' }>;

type Mode = 'beside' | 'slider' | 'difference';

const knob = 14;

/** Two or more pictures with one zoom, and below what differs between their runs. */
export class CompareView {
  readonly root: HTMLElement;
  readonly #outputs: readonly GalleryOutput[];
  /** Labels that tell the outputs apart. */
  #labels: readonly string[];
  readonly #pictures = element('div', { class: 'pictures' });
  readonly #differences = element('section', { class: 'differences', 'aria-label': t`Differences` });
  readonly #closed = new AbortController();
  #views: ImageView[] = [];
  #shown = new AbortController();
  #mode: Mode = 'beside';
  readonly #modes: ReadonlyMap<Mode, HTMLButtonElement>;

  constructor(outputs: readonly GalleryOutput[], onClose: () => void) {
    this.#outputs = outputs;
    this.#labels = outputs.map(({ caption }) => caption);
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
    // Five and six are in two lines of three.
    const columns = outputs.length > 4 ? 3 : outputs.length;
    this.#pictures.style.setProperty('--share', `calc(${100 / columns}% - 8px)`);
    this.#differences.append(element('p', { class: 'note' }, t`Reading run records`));
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

  showDifferences({ differences, captions, unknown }: Comparison): void {
    this.#labels = this.#labels.map((label, index) => captions[index]?.join(' · ') || label);
    this.#show(this.#mode);
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
      ...this.#labels.map((label, index) => element('th', { scope: 'col', title: label }, String(index + 1))),
    );
    const rows = differences.map(({ name, values, group }) => {
      const cells = values.map((value) => cellOf(value));
      return element('tr', { class: group }, element('th', { scope: 'row' }, name), ...cells);
    });
    const many = this.#outputs.length > 3 ? { class: 'many' } : {};
    const table = element('table', many, element('thead', {}, head), element('tbody', {}, ...rows));
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
    const [left = '', right = ''] = this.#labels;
    if (mode === 'slider' && first && second) return this.#slid(first, second, [left, right]);
    if (mode === 'difference' && first && second) {
      // Black where both pictures have the same color.
      const { stage } = this.#stage([first, second], t`Difference between ${left} and ${right}`);
      stage.classList.add('difference');
      return [stage];
    }
    return this.#outputs.map((output, index) => {
      const label = this.#labels[index] ?? '';
      const stage = output.kind === 'image' ? this.#stage([output], label).stage : noPicture(output);
      return element(
        'figure',
        { title: output.name },
        stage,
        element('figcaption', {}, t`${index + 1}: ${label}`),
      );
    });
  }

  /** The first on the left, as when they are beside each other. */
  #slid(above: GalleryOutput, below: GalleryOutput, labels: readonly [string, string]): HTMLElement[] {
    const { stage, view, width } = this.#stage([below, above], t`${labels[0]} over ${labels[1]}`);
    const share = slider({
      min: '0',
      max: '100',
      value: '50',
      'aria-label': t`How much of ${labels[0]} to show`,
    });
    const show = (): void => {
      const { x, scale } = view.placement;
      const [left, right] = [Math.max(0, x), Math.min(stage.clientWidth, x + scale * width())];
      // As wide as what is in sight of the picture: half of the knob is outside at each end.
      share.style.marginInlineStart = `${left - knob / 2}px`;
      share.style.width = `${Math.max(0, right - left) + knob}px`;
      const edge = left + ((right - left) * Number(share.value)) / 100;
      stage.style.setProperty('--covered', `${((edge - x) * 100) / Math.max(1, scale * width())}%`);
    };
    view.onPlaced = show;
    share.addEventListener('input', show);
    show();
    // The stage and the slider say the names.
    const sides = labels.map((label) => element('figcaption', {}, label));
    return [stage, share, element('div', { class: 'sides', 'aria-hidden': 'true' }, ...sides)];
  }

  /** One image, or two of which the second covers a share of the first. */
  #stage(
    outputs: readonly GalleryOutput[],
    label: string,
  ): { readonly stage: HTMLElement; readonly view: ImageView; readonly width: () => number } {
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
    const size = (): Extent => ({ width: first?.naturalWidth ?? 0, height: first?.naturalHeight ?? 0 });
    const view = new ImageView(stage, placed, size, signal, () => {
      for (const other of this.#views) if (other !== view) other.follow(view);
    });
    this.#views.push(view);
    placed.hidden = true;
    void Promise.allSettled(pictures.map((picture) => picture.decode())).then(() => {
      if (first && second) [second.width, second.height] = [first.naturalWidth, first.naturalHeight];
      placed.hidden = false;
      stage.style.setProperty('--ratio', String(size().width / Math.max(1, size().height)));
      view.layout();
    });
    return { stage, view, width: () => size().width };
  }
}

function cellOf(value: string): HTMLElement {
  const isNumber = /^-?[\d.]+(?:e[+-]?\d+)?$/i.test(value);
  return element('td', isNumber ? { class: 'number' } : {}, value === '' ? '–' : value);
}

/** An output that is no picture, or a run without outputs: only its values are compared. */
function noPicture({ source }: GalleryOutput): HTMLElement {
  const text = source === '' ? t`No output` : t`Not an image`;
  return element('div', { class: 'stage no-picture' }, icon('file'), text);
}
