import '../ui/language';
import type { FromCanvas, ToCanvas } from '../contract/canvasPanel';
import { element, textButton } from '../ui/element';
import { connectHost } from '../ui/host';
import { type ForwardedKey, isForwardedKey, keyMessage } from './forwardedKey';
import '../ui/panel.css';
import './canvas.css';

/** The page around a ComfyUI page: a bar with what there is to say, and the frame. */
class CanvasFrame {
  readonly #host = connectHost<FromCanvas, object>();
  readonly #bar = element('div', { class: 'canvas-bar', role: 'status' });
  #frame: HTMLIFrameElement | undefined;

  start(): void {
    document.body.append(this.#bar);
    window.addEventListener('message', (event) => this.#receive(event));
    window.addEventListener('focus', () => this.#focus());
    this.#host.send({ type: 'ready' });
  }

  #receive({ data, source, origin }: MessageEvent): void {
    if (this.#frame && source === this.#frame.contentWindow) {
      // Scripts of the server and of node packs are there, too.
      if (origin === new URL(this.#frame.src).origin)
        this.#forward(data as { type: string; key: ForwardedKey });
      return;
    }
    const message = data as ToCanvas;
    switch (message.type) {
      case 'show':
        this.#show(message.address, message.name);
        return;
      case 'clear':
        this.#frame?.remove();
        this.#frame = undefined;
        return;
      case 'focus':
        this.#focus();
        return;
      case 'say':
        this.#say(message);
    }
  }

  #show(address: string, name: string): void {
    this.#frame?.remove();
    const frame = element('iframe', {
      name,
      title: document.title,
      allow: 'clipboard-read; clipboard-write; fullscreen; local-network-access',
    });
    frame.addEventListener('load', () => this.#focus());
    frame.src = address;
    this.#frame = frame;
    document.body.append(frame);
  }

  #say({ words, actions }: Extract<ToCanvas, { readonly type: 'say' }>): void {
    this.#bar.replaceChildren(
      ...(words === '' ? [] : [element('span', {}, words)]),
      ...actions.map(({ action, label }) =>
        textButton(label, () => this.#host.send({ type: 'act', action }), 'secondary'),
      ),
    );
  }

  #focus(): void {
    if (document.hasFocus() && document.activeElement?.closest('.canvas-bar') === null) this.#frame?.focus();
  }

  /** VS Code listens for keys in this page; none of a frame get here. */
  #forward({ type, key }: { readonly type: string; readonly key: ForwardedKey }): void {
    if (type !== keyMessage || !isForwardedKey(key) || document.activeElement !== this.#frame) return;
    window.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }));
  }
}

new CanvasFrame().start();
