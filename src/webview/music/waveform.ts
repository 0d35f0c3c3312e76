import { element } from '../ui/element';
import { spokenTime } from './words';
import { t } from '../../core/safety/localize';

/** How far arrow keys and page keys go, in seconds. */
const steps = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageDown: -30, PageUp: 30 } as const;

/** The loudness of a track as bars, with the played part in the accent color; also the control that seeks. */
export class Waveform {
  readonly root = element('canvas', {
    class: 'waveform',
    role: 'slider',
    tabindex: '0',
    'aria-label': t`Position`,
    'aria-valuemin': '0',
  });
  #peaks: readonly number[] = [];
  #seconds = 0;
  #position = 0;

  constructor(private readonly onSeek: (seconds: number) => void) {
    this.root.addEventListener('pointerdown', (event) => this.#onPointer(event));
    this.root.addEventListener('keydown', (event) => this.#onKey(event));
    new ResizeObserver(() => this.#draw()).observe(this.root);
    // VS Code changes the attributes of the body with the theme.
    new MutationObserver(() => this.#draw()).observe(document.body, { attributeFilter: ['class', 'style'] });
  }

  /** @param peaks 0..1 each; empty while unknown */
  show(peaks: readonly number[], seconds: number): void {
    this.#peaks = peaks;
    this.#seconds = seconds;
    this.root.dataset.peaks = String(peaks.length);
    this.root.setAttribute('aria-valuemax', String(Math.round(seconds)));
    this.move(0);
  }

  move(position: number): void {
    this.#position = position;
    this.root.setAttribute('aria-valuenow', String(Math.floor(position)));
    this.root.setAttribute('aria-valuetext', t`${spokenTime(position)} of ${spokenTime(this.#seconds)}`);
    this.#draw();
  }

  #draw(): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    const context = this.root.getContext('2d');
    if (!context || width === 0 || height === 0) return;
    const scale = window.devicePixelRatio;
    this.root.width = Math.round(width * scale);
    this.root.height = Math.round(height * scale);
    context.scale(scale, scale);
    const style = getComputedStyle(this.root);
    const [heard, ahead] = [style.color, style.getPropertyValue('--ahead').trim()];
    const count = Math.max(1, Math.min(this.#peaks.length || 1, Math.floor(width / 4)));
    const pitch = width / count;
    const share = this.#seconds > 0 ? this.#position / this.#seconds : 0;
    for (let bar = 0; bar < count; bar += 1) {
      const peak = this.#loudest(bar / count, (bar + 1) / count);
      const tall = Math.max(2, peak * (height - 4));
      context.fillStyle = (bar + 0.5) / count <= share ? heard : ahead || heard;
      context.fillRect(
        bar * pitch,
        (height - tall) / 2,
        this.#peaks.length === 0 ? width : Math.max(1, pitch - 1.5),
        tall,
      );
    }
  }

  #loudest(from: number, to: number): number {
    const { length } = this.#peaks;
    return Math.max(0, ...this.#peaks.slice(Math.floor(from * length), Math.max(1, Math.floor(to * length))));
  }

  #seek(seconds: number): void {
    this.onSeek(Math.min(this.#seconds, Math.max(0, seconds)));
  }

  #onPointer(event: PointerEvent): void {
    if (event.button !== 0 || this.#seconds === 0) return;
    const seek = ({ clientX }: PointerEvent): void => {
      const { left, width } = this.root.getBoundingClientRect();
      this.#seek(((clientX - left) / width) * this.#seconds);
    };
    const ended = new AbortController();
    this.root.setPointerCapture(event.pointerId);
    this.root.addEventListener('pointermove', seek, { signal: ended.signal });
    for (const end of ['pointerup', 'pointercancel'] as const)
      this.root.addEventListener(end, () => ended.abort(), { signal: ended.signal });
    seek(event);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = Object.entries(steps).find(([key]) => key === event.key)?.[1];
    if (step !== undefined) this.#seek(this.#position + step);
    else if (event.key === 'Home') this.#seek(0);
    else if (event.key === 'End') this.#seek(this.#seconds);
    else return;
    event.preventDefault();
  }
}
