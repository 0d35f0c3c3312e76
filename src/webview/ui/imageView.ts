import { fitPicture, kept, zoomPicture, type Extent, type Placement } from './placement';

/** Shows an image, fitted until the user zooms, then panned by drag or arrow keys. */
export class ImageView {
  #fitted = true;
  #placement: Placement = { scale: 1, x: 0, y: 0 };
  #area: Extent = { width: 0, height: 0 };
  /** Called whenever the picture is placed, also when the viewport changes. */
  onPlaced: () => void = () => undefined;

  /** @param onMoved called when the user zooms or pans */
  constructor(
    private readonly viewport: HTMLElement,
    private readonly picture: HTMLElement,
    private readonly size: () => Extent,
    signal: AbortSignal,
    private readonly onMoved: () => void = () => undefined,
  ) {
    viewport.addEventListener('wheel', (event) => this.#onWheel(event), { passive: false, signal });
    viewport.addEventListener('pointerdown', (event) => this.#onDrag(event), { signal });
    viewport.addEventListener('dblclick', () => (this.#fitted ? this.actualSize() : this.fit()), { signal });
    viewport.addEventListener('keydown', (event) => this.#onKey(event), { signal });
    const observer = new ResizeObserver(() => this.layout());
    observer.observe(viewport);
    signal.addEventListener('abort', () => observer.disconnect(), { once: true });
  }

  get placement(): Placement {
    return this.#placement;
  }

  fit(): void {
    this.#fitted = true;
    this.layout();
    this.onMoved();
  }

  /** Shows the same part as another view, whatever the sizes of the pictures. */
  follow(other: ImageView): void {
    this.#fitted = other.#fitted;
    const { scale, x, y } = other.#placement;
    const [own, theirs] = [this.size(), other.size()];
    if (own.width > 0) this.#placement = { scale: (scale * theirs.width) / own.width, x, y };
    this.layout();
  }

  actualSize(): void {
    this.#zoomTo(1, this.#middle());
  }

  zoomBy(factor: number): void {
    this.#zoomTo(this.#placement.scale * factor, this.#middle());
  }

  /**
   * Places the picture again after it was loaded, or after the viewport changed, with the same point in the middle.
   */
  layout(): void {
    const { clientWidth: width, clientHeight: height } = this.viewport;
    const [dx, dy] = [(width - this.#area.width) / 2, (height - this.#area.height) / 2];
    this.#area = { width, height };
    const size = this.size();
    if (size.width === 0 || size.height === 0 || width === 0 || height === 0) return;
    const { scale, x, y } = this.#placement;
    this.#place(
      this.#fitted ? fitPicture(this.#area, size) : kept(this.#area, size, { scale, x: x + dx, y: y + dy }),
    );
  }

  #place(placement: Placement): void {
    const { scale, x, y } = placement;
    this.#placement = placement;
    this.picture.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    this.picture.style.setProperty('--scale', String(scale));
    // A small picture that fills its frame is smooth; one that was zoomed into shows its pixels.
    this.picture.classList.toggle('pixelated', scale >= 3 && !this.#fitted);
    this.onPlaced();
  }

  #middle(): { readonly x: number; readonly y: number } {
    return { x: this.#area.width / 2, y: this.#area.height / 2 };
  }

  #zoomTo(scale: number, at: { readonly x: number; readonly y: number }): void {
    const size = this.size();
    if (size.width === 0 || size.height === 0) return;
    this.#fitted = false;
    this.#place(zoomPicture(this.#area, size, this.#placement, scale, at));
    this.onMoved();
  }

  #pan(dx: number, dy: number): void {
    const size = this.size();
    if (size.width === 0 || size.height === 0) return;
    const { scale, x, y } = this.#placement;
    this.#fitted = false;
    this.#place(kept(this.#area, size, { scale, x: x + dx, y: y + dy }));
    this.onMoved();
  }

  #onWheel(event: WheelEvent): void {
    event.preventDefault();
    const box = this.viewport.getBoundingClientRect();
    this.#zoomTo(this.#placement.scale * Math.exp(-event.deltaY / 400), {
      x: event.clientX - box.left,
      y: event.clientY - box.top,
    });
  }

  #onDrag(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.viewport.setPointerCapture(event.pointerId);
    const ended = new AbortController();
    const { signal } = ended;
    let { clientX: x, clientY: y } = event;
    const follow = (move: PointerEvent): void => {
      this.#pan(move.clientX - x, move.clientY - y);
      ({ clientX: x, clientY: y } = move);
    };
    this.viewport.addEventListener('pointermove', follow, { signal });
    for (const end of ['pointerup', 'pointercancel'] as const)
      this.viewport.addEventListener(end, () => ended.abort(), { signal });
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
