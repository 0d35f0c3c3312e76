import { element } from '../ui/element';

const margin = 8;

/** A box beside what it is about. Escape closes it; a click elsewhere first applies what was entered. */
export abstract class Popover {
  protected readonly root = element('div', { class: 'popover', role: 'dialog', tabindex: '-1' });
  #anchor = new DOMRect();

  /**
   * @param onLeave takes the focus back
   * @param onTake takes what was entered
   */
  constructor(
    private readonly onLeave: () => void,
    private readonly onTake?: () => void,
  ) {
    this.root.hidden = true;
    document.body.append(this.root);
    const place = (): void => this.#place();
    new ResizeObserver(place).observe(this.root);
    window.addEventListener('resize', place);
    const closeOutside = ({ target }: { readonly target: EventTarget | null }): void => {
      if (target instanceof Node && !this.root.contains(target)) this.leave();
    };
    document.addEventListener('pointerdown', closeOutside, true);
    this.root.addEventListener('focusout', ({ relatedTarget }) => closeOutside({ target: relatedTarget }));
    this.root.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return;
        // This applies even where Escape would only close a list in it.
        event.preventDefault();
        event.stopPropagation();
        this.close();
      },
      true,
    );
  }

  protected get isOpen(): boolean {
    return !this.root.hidden;
  }

  /** @param anchor where its top left corner is if there is room */
  protected show(label: string, anchor: DOMRect, ...content: readonly Node[]): void {
    this.#anchor = anchor;
    this.root.setAttribute('aria-label', label);
    this.root.replaceChildren(...content);
    this.root.hidden = false;
    this.#place();
    this.root.focus();
  }

  leave(): void {
    if (this.isOpen) this.onTake?.();
    this.close();
  }

  close(): void {
    if (!this.isOpen) return;
    // If the focus is elsewhere in VS Code, it must not be moved.
    const hadFocus = document.hasFocus() && this.root.contains(document.activeElement);
    this.root.hidden = true;
    if (hadFocus) this.onLeave();
  }

  /** @param anchor where what it is about is now */
  protected move(anchor: DOMRect): void {
    this.#anchor = anchor;
    this.#place();
  }

  #place(): void {
    if (!this.isOpen) return;
    const { width, height } = this.root.getBoundingClientRect();
    const { x, y } = this.#anchor;
    this.root.style.left = `${Math.max(margin, Math.min(x, innerWidth - width - margin))}px`;
    this.root.style.top = `${Math.max(margin, Math.min(y, innerHeight - height - margin))}px`;
  }
}
