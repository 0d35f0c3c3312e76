import { element, setText } from '../ui/element';
import { ImageView } from '../ui/imageView';
import { t } from '../../core/safety/localize';

/** The live frame: paints each preview picture over the last one on one canvas, so memory stays flat. */
export class FrameView {
  readonly root: HTMLElement;
  readonly #canvas = element('canvas', { class: 'picture', role: 'img', 'aria-label': t`Live preview` });
  readonly #caption = element('span', { class: 'caption' });
  readonly #view: ImageView;
  #nodeName = '';

  constructor(signal: AbortSignal) {
    const stage = element(
      'div',
      { class: 'stage zoomable', role: 'group', tabindex: '0', 'aria-label': t`Live preview` },
      this.#canvas,
    );
    const size = (): { width: number; height: number } => this.#canvas;
    this.#canvas.width = 0;
    this.#canvas.height = 0;
    this.#view = new ImageView(stage, this.#canvas, size, signal);
    this.root = element(
      'section',
      { class: 'output live', 'aria-label': t`Live preview` },
      stage,
      element('div', { class: 'output-line' }, this.#caption),
    );
  }

  get isEmpty(): boolean {
    return this.#canvas.width === 0;
  }

  /** Paints a frame; if it cannot be decoded, the last one stays. */
  async paint(image: Uint8Array<ArrayBuffer>, mime: string, nodeName: string): Promise<void> {
    let bitmap: ImageBitmap;
    try {
      bitmap = await createImageBitmap(new Blob([image], { type: mime }));
    } catch {
      return;
    }
    const resized = bitmap.width !== this.#canvas.width || bitmap.height !== this.#canvas.height;
    if (resized) {
      this.#canvas.width = bitmap.width;
      this.#canvas.height = bitmap.height;
      this.#view.layout();
    }
    this.#canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    this.#canvas.dataset.frames = String(Number(this.#canvas.dataset.frames ?? '0') + 1);
    this.#nodeName = nodeName;
  }

  /** @param isLive whether more frames may come */
  caption(isLive: boolean): void {
    const name = this.#nodeName;
    if (isLive) setText(this.#caption, name === '' ? t`Live preview` : t`Live preview of ${name}`);
    else setText(this.#caption, name === '' ? t`Last preview` : t`Last preview of ${name}`);
  }

  clear(): void {
    this.#canvas.width = 0;
    this.#canvas.height = 0;
    delete this.#canvas.dataset.frames;
  }
}
