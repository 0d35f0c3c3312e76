type Child = Node | string | undefined;

/** Makes an element with attributes and children; skips undefined children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** An image that is not seen until all of it has arrived: browsers draw the part that they have. */
export function wholeImage(attributes: Readonly<Record<string, string>>): HTMLImageElement {
  const made = element('img', { ...attributes, 'aria-busy': 'true' });
  made.addEventListener('load', () => made.removeAttribute('aria-busy'), { once: true });
  return made;
}

/** A button with an icon and a label for screen readers and the tooltip. */
export function iconButton(icon: SVGElement, label: string, onClick: () => void): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'icon-button', title: label, 'aria-label': label },
    icon,
  );
  button.addEventListener('click', onClick);
  return button;
}

export function textButton(
  label: string,
  onClick: () => void,
  kind: 'primary' | 'secondary' | 'link',
): HTMLButtonElement {
  const button = element('button', { type: 'button', class: `text-button ${kind}` }, label);
  button.addEventListener('click', onClick);
  return button;
}

/** A button that opens VS Code's own menu of this page (`webview/context` in package.json), as a right click does. */
export function menuButton(icon: SVGElement, label: string, context: object = {}): HTMLButtonElement {
  const button = iconButton(icon, label, () => {
    const { left: clientX, bottom: clientY } = button.getBoundingClientRect();
    button.dispatchEvent(
      new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY }),
    );
  });
  button.setAttribute('aria-haspopup', 'menu');
  // Cut, Copy and Paste are for a right click on text.
  button.dataset['vscodeContext'] = JSON.stringify({ ...context, preventDefaultContextMenuItems: true });
  return button;
}

/** Sets the text only if it differs: screen readers must not announce an unchanged live region again. */
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
