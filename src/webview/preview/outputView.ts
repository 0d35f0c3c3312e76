import type { OutputAction, PreviewOutput } from '../contract/preview';
import { element, iconButton, textButton, wholeImage } from '../ui/element';
import { icon } from '../ui/icon';
import { ImageView } from '../ui/imageView';
import { startOfSentence } from '../../core/safety/endSentence';
import { t } from '../../core/safety/localize';
import { slider } from '../ui/slider';

export type OnAction = (action: OutputAction, output: PreviewOutput) => void;

/** Whether to compare pictures with the previous run: stays on from one output to the next. */
export interface Comparing {
  on: boolean;
}

/** The large view of one output with its toolbar: picture, video, audio or text. */
export class OutputView {
  readonly root: HTMLElement;
  readonly #closed = new AbortController();
  readonly #size = element('span', { class: 'size' });

  constructor(output: PreviewOutput, onAction: OnAction, comparing: Comparing) {
    const toolbar = element('div', {
      class: 'toolbar',
      role: 'toolbar',
      'aria-label': t`Actions for ${output.name}`,
    });
    const stage = element('div', { class: 'stage' });
    this.#size.textContent = output.facts ?? '';
    const caption = element('span', { class: 'caption', title: output.name }, output.name);
    const passing =
      output.temporary && element('span', { class: 'size' }, startOfSentence(t`temporary, not saved`));
    if (output.media === 'text') stage.append(textOutput(output));
    else if (output.source === undefined) stage.append(notHere(output, onAction));
    else if (output.media === 'image')
      this.#showPicture(output, output.source, stage, toolbar, comparing, onAction);
    else if (output.media === 'video' || output.media === 'audio')
      stage.append(player(output, output.source, onAction));
    else stage.append(cannotShow(output, output.about ?? t`This file can't be shown here.`, onAction));
    toolbar.append(...actionButtons(output, onAction));
    this.root = element(
      'section',
      { class: 'output', 'aria-label': t`Output ${output.name}` },
      element('h2', { class: 'spoken' }, output.name),
      stage,
      element('div', { class: 'output-line' }, caption, passing, this.#size, toolbar),
    );
  }

  close(): void {
    this.#closed.abort();
    this.root.remove();
  }

  #showPicture(
    output: PreviewOutput,
    source: string,
    stage: HTMLElement,
    toolbar: HTMLElement,
    comparing: Comparing,
    onAction: OnAction,
  ): void {
    const picture = wholeImage({
      alt: t`${output.name}, made by ${output.nodeName}`,
      class: 'picture',
      draggable: 'false',
    });
    const size = (): { width: number; height: number } => ({
      width: picture.naturalWidth,
      height: picture.naturalHeight,
    });
    stage.classList.add('zoomable');
    stage.tabIndex = 0;
    stage.setAttribute('role', 'group');
    stage.setAttribute('aria-label', t`${output.name}. Press + or - to zoom, 0 to fit, 1 for actual size.`);
    const placed = element('div', { class: 'placed' }, picture);
    const broken = new AbortController();
    const view = new ImageView(stage, placed, size, AbortSignal.any([this.#closed.signal, broken.signal]));
    const zoom = [
      iconButton(icon('fit'), t`Fit (0)`, () => view.fit()),
      iconButton(icon('actualSize'), t`Actual size (1)`, () => view.actualSize()),
      iconButton(icon('zoomOut'), t`Zoom out (-)`, () => view.zoomBy(0.8)),
      iconButton(icon('zoomIn'), t`Zoom in (+)`, () => view.zoomBy(1.25)),
    ];
    picture.addEventListener('load', () => {
      view.fit();
      if (!output.facts) this.#size.textContent = `${picture.naturalWidth} × ${picture.naturalHeight}`;
    });
    picture.addEventListener('error', () => {
      const reason = t`This image can't be shown. The file is damaged, or its format isn't supported here.`;
      broken.abort();
      for (const button of zoom) button.remove();
      stage.classList.remove('zoomable');
      for (const name of ['tabindex', 'role', 'aria-label']) stage.removeAttribute(name);
      stage.replaceChildren(cannotShow(output, reason, onAction));
    });
    picture.src = source;
    stage.append(placed);
    toolbar.append(...zoom);
    if (output.previous) toolbar.append(compareButton(placed, stage, output.previous, comparing));
    toolbar.append(element('span', { class: 'divider', 'aria-hidden': 'true' }));
  }
}

/** Shows the previous run's picture beside the new one while pressed. */
function compareButton(
  placed: HTMLElement,
  stage: HTMLElement,
  previous: NonNullable<PreviewOutput['previous']>,
  comparing: Comparing,
): HTMLElement {
  let open: Comparison | undefined;
  const show = (): void => {
    open?.close();
    open = comparing.on ? new Comparison(placed, stage, previous, isBroken) : undefined;
    button.setAttribute('aria-pressed', String(comparing.on));
  };
  const isBroken = (): void => {
    open?.close();
    button.remove();
  };
  const button = iconButton(icon('compare'), t`Compare with the previous run`, () => {
    comparing.on = !comparing.on;
    show();
  });
  // The slider goes beside the stage, which is placed later.
  queueMicrotask(show);
  return button;
}

function actionButtons(output: PreviewOutput, onAction: OnAction): HTMLElement[] {
  const labels: Readonly<Record<Exclude<OutputAction, 'fetch'>, string>> = {
    open: t`Open`,
    reveal: t`Reveal in Explorer`,
    saveAs: t`Save As…`,
    copy: output.media === 'text' ? t`Copy Text` : t`Copy Path`,
  };
  const available: readonly (keyof typeof labels)[] =
    output.media === 'text'
      ? ['copy']
      : output.source === undefined
        ? []
        : ['open', 'reveal', 'saveAs', 'copy'];
  return available.map((action) => iconButton(icon(action), labels[action], () => onAction(action, output)));
}

function player(output: PreviewOutput, source: string, onAction: OnAction): HTMLElement {
  const kind = output.media === 'video' ? 'video' : 'audio';
  const media = element(kind, { controls: '', preload: 'metadata', 'aria-label': output.name });
  const frame = element('div', { class: 'player' }, media);
  media.addEventListener('error', () => {
    frame.replaceChildren(cannotShow(output, t`This file can't be shown here.`, onAction));
  });
  media.src = source;
  return frame;
}

function notHere(output: PreviewOutput, onAction: OnAction): HTMLElement {
  if (output.fetching === true) return element('p', { class: 'note' }, t`Fetching the file from the server…`);
  return element(
    'div',
    { class: 'note' },
    element('p', {}, t`This file is still on the server.`),
    textButton(output.temporary ? t`Show` : t`Save to Workspace`, () => onAction('fetch', output), 'primary'),
  );
}

function cannotShow(output: PreviewOutput, reason: string, onAction: OnAction): HTMLElement {
  return element(
    'div',
    { class: 'note' },
    element('p', {}, reason),
    textButton(t`Open`, () => onAction('open', output), 'primary'),
    textButton(t`Reveal`, () => onAction('reveal', output), 'secondary'),
  );
}

function textOutput(output: PreviewOutput): HTMLElement {
  return element(
    'pre',
    { class: 'text-output', role: 'region', tabindex: '0', 'aria-label': output.name },
    output.text ?? '',
  );
}

class Comparison {
  readonly #earlier: HTMLImageElement;
  readonly #edge = element('div', { class: 'compare-edge' });
  readonly #slider = slider({ min: '0', max: '100', value: '50', step: '1' });
  readonly #line: HTMLElement;

  /**
   * @param placed the scaled element that contains the new picture
   * @param onBroken called when the previous run's picture cannot be read
   */
  constructor(
    private readonly placed: HTMLElement,
    stage: HTMLElement,
    previous: { readonly source: string; readonly name: string },
    onBroken: () => void,
  ) {
    this.#earlier = element('img', {
      class: 'earlier',
      alt: t`Previous run: ${previous.name}`,
      draggable: 'false',
    });
    this.#slider.setAttribute('aria-label', t`How much of the previous image to show`);
    this.#line = element(
      'div',
      { class: 'compare-line' },
      element('span', { title: previous.name }, t`Previous`),
      this.#slider,
      element('span', {}, t`New`),
    );
    this.#slider.addEventListener('input', () => this.#split());
    this.#earlier.addEventListener('error', onBroken);
    this.#earlier.src = previous.source;
    this.#split();
    placed.append(this.#earlier, this.#edge);
    stage.after(this.#line);
  }

  close(): void {
    this.#earlier.remove();
    this.#edge.remove();
    this.#line.remove();
  }

  #split(): void {
    this.placed.style.setProperty('--split', `${this.#slider.value}%`);
    this.#slider.setAttribute('aria-valuetext', t`${this.#slider.value}% previous`);
  }
}
