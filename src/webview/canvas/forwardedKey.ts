/** A key as the page in the frame forwards it. */
export type ForwardedKey = ReturnType<typeof forwardedKey>;

/** Marks the message with a key, which the page in the frame sends to the panel. */
export const keyMessage = 'comfyDeckKey';

/** The keys that are VS Code's: its palette, its tabs, and our Run. All others are the page's. */
export function isForwardedKey({
  key,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: Omit<ForwardedKey, 'keyCode'>): boolean {
  if (key === 'F1') return !ctrlKey && !metaKey && !altKey;
  if (ctrlKey === metaKey) return false;
  const name = key.toLowerCase();
  if (altKey) return name === 'enter' && !shiftKey;
  if (name === 'p' || name === 'tab') return true;
  return !shiftKey && /^[wk1-9]$/.test(name);
}

function forwardedKey(event: KeyboardEvent) {
  const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
  // Deprecated, but what VS Code reads.
  const keyCode: number = Reflect.get(event, 'keyCode');
  return { key, code, keyCode, ctrlKey, metaKey, shiftKey, altKey };
}

/** Sends VS Code's keys to the panel, but for those that the page has used. */
export function forwardKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || !isForwardedKey(event)) return;
  event.preventDefault();
  window.parent.postMessage({ type: keyMessage, key: forwardedKey(event) }, '*');
}
