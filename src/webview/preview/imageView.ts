const minimumScale = 0.05;
const maximumScale = 32;

/**
 * Shows one picture (an image element or a canvas) in a viewport: fitted until the person zooms, then panned by drag
 * or arrow keys. Zooming keeps the point under the pointer where it is.
 */
export class ImageView {
  readonly #viewport: HTMLElement;
  readonly #picture: HTMLElement;
  readonly #size: () => { width: number; height: number };
  #fitted = true;
  #scale = 1;
  #x = 0;
  #y = 0;

  constructor(
    viewport: HTMLElement,
    picture: HTMLElement,
    size: () => { width: number; height: number },
    signal: AbortSignal,
  ) {
    this.#viewport = viewport;
    this.#picture = picture;
    this.#size = size;
    viewport.addEventListener('wheel', (event) => this.#onWheel(event), { passive: false, signal });
    viewport.addEventListener('pointerdown', (event) => this.#onDrag(event), { signal });
    viewport.addEventListener('dblclick', () => (this.#fitted ? this.actualSize() : this.fit()), { signal });
    viewport.addEventListener('keydown', (event) => this.#onKey(event), { signal });
    const observer = new ResizeObserver(() => this.layout());
    observer.observe(viewport);
    signal.addEventListener('abort', () => observer.disconnect(), { once: true });
  }

  /** Whole picture visible, never enlarged beyond its own size twice over. */
  fit(): void {
    this.#fitted = true;
    this.layout();
  }

  actualSize(): void {
    this.#zoomTo(1, this.#viewport.clientWidth / 2, this.#viewport.clientHeight / 2);
  }

  zoomBy(factor: number): void {
    this.#zoomTo(this.#scale * factor, this.#viewport.clientWidth / 2, this.#viewport.clientHeight / 2);
  }

  /** Places the picture again: after it was loaded, or when the viewport changed. */
  layout(): void {
    const { width, height } = this.#size();
    if (width === 0 || height === 0) return;
    if (this.#fitted) {
      const room = Math.min(this.#viewport.clientWidth / width, this.#viewport.clientHeight / height);
      this.#scale = Math.min(room, 2);
      this.#x = (this.#viewport.clientWidth - width * this.#scale) / 2;
      this.#y = (this.#viewport.clientHeight - height * this.#scale) / 2;
    }
    this.#picture.style.transform = `translate(${this.#x}px, ${this.#y}px) scale(${this.#scale})`;
    this.#picture.classList.toggle('pixelated', this.#scale >= 3);
  }

  #zoomTo(scale: number, x: number, y: number): void {
    const next = Math.min(maximumScale, Math.max(minimumScale, scale));
    this.#fitted = false;
    this.#x = x - ((x - this.#x) * next) / this.#scale;
    this.#y = y - ((y - this.#y) * next) / this.#scale;
    this.#scale = next;
    this.layout();
  }

  #pan(dx: number, dy: number): void {
    this.#fitted = false;
    this.#x += dx;
    this.#y += dy;
    this.layout();
  }

  #onWheel(event: WheelEvent): void {
    event.preventDefault();
    const box = this.#viewport.getBoundingClientRect();
    this.#zoomTo(
      this.#scale * Math.exp(-event.deltaY / 400),
      event.clientX - box.left,
      event.clientY - box.top,
    );
  }

  #onDrag(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#viewport.setPointerCapture(event.pointerId);
    const ended = new AbortController();
    const { signal } = ended;
    this.#viewport.addEventListener('pointermove', (move) => this.#pan(move.movementX, move.movementY), {
      signal,
    });
    for (const end of ['pointerup', 'pointercancel'] as const)
      this.#viewport.addEventListener(end, () => ended.abort(), { signal });
  }

  #onKey(event: KeyboardEvent): void {
    const step = 40;
    const actions: Record<string, () => void> = {
      '+': () => this.zoomBy(1.25),
      '=': () => this.zoomBy(1.25),
      '-': () => this.zoomBy(0.8),
      '0': () => this.fit(),
      '1': () => this.actualSize(),
      ArrowUp: () => this.#pan(0, step),
      ArrowDown: () => this.#pan(0, -step),
    };
    if (event.shiftKey) {
      actions.ArrowLeft = () => this.#pan(step, 0);
      actions.ArrowRight = () => this.#pan(-step, 0);
    }
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
