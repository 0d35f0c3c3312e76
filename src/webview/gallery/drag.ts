import { outputsText } from '../../core/safety/countText';
import { element } from '../ui/element';

/** More would fill an editor group with tabs. */
export const mostDragged = 100;

/** The data that VS Code reads of dragged files, by type: editor groups read the first, others the second. */
export function dragData(addresses: readonly string[]): Readonly<Record<string, string>> {
  return {
    ResourceURLs: JSON.stringify(addresses),
    'application/vnd.code.uri-list': addresses.join('\r\n'),
  };
}

/** Fills a drag that begins. Where files are dropped, they are opened or copied, never moved. */
export function startDrag(transfer: DataTransfer, addresses: readonly string[]): void {
  for (const [type, text] of Object.entries(dragData(addresses))) transfer.setData(type, text);
  transfer.effectAllowed = 'copy';
  const count = addresses.length;
  // A single file is shown as its tile.
  if (count < 2) return;
  const label = element('div', { class: 'dragged' }, outputsText(count));
  document.body.append(label);
  transfer.setDragImage(label, -8, -8);
  // The browser has drawn it once this event is over.
  setTimeout(() => label.remove());
}
