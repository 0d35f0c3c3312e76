import { listText, plural, t } from '../../core/safety/localize';
import type { RecordOutput, RecordView } from '../contract/record';
import { element, textButton, wholeImage } from '../ui/element';
import { icon } from '../ui/icon';
import { section } from './sections';

/** The files of the run: pictures, videos and sounds are shown. */
export function outputSection(view: RecordView, onOpen: (index: number) => void): HTMLElement | undefined {
  const { files, moreFiles, unlisted, misnamed } = view;
  const notes = [
    moreFiles > 0
      ? plural(moreFiles, t`1 more file is in the record.`, t`${moreFiles} more files are in the record.`)
      : '',
    unlisted > 0
      ? plural(
          unlisted,
          t`The server reports 1 more output that it doesn't list.`,
          t`The server reports ${unlisted} more outputs that it doesn't list.`,
        )
      : '',
    misnamed,
    files.length === 0 ? t`The record lists no outputs.` : '',
  ].filter((note) => note !== '');
  return section(
    t`Outputs`,
    files.length > 0
      ? element('ul', { class: 'outputs' }, ...files.map((file, index) => card(file, () => onOpen(index))))
      : undefined,
    ...notes.map((note) => element('p', { class: 'quiet' }, note)),
  );
}

function card(file: RecordOutput, onOpen: () => void): HTMLElement {
  const { label, node, facts, size, source, missing } = file;
  const open = source === undefined ? undefined : textButton(label, onOpen, 'link');
  open?.setAttribute('aria-label', t`Open ${label}`);
  return element(
    'li',
    { class: 'output' },
    source === undefined ? undefined : media(file, source, onOpen),
    missing === undefined ? undefined : element('div', { class: 'missing' }, icon('remove'), missing),
    open ?? element('span', { class: 'label' }, label),
    element('span', { class: 'quiet' }, listText([node, facts, size])),
  );
}

function media(
  { media: kind, label, node }: RecordOutput,
  source: string,
  onOpen: () => void,
): HTMLElement | undefined {
  if (kind === 'image') {
    const picture = wholeImage({ alt: t`${label}, made by ${node}`, loading: 'lazy', decoding: 'async' });
    picture.addEventListener('error', () => picture.replaceWith(broken()));
    // By keyboard, its name opens it.
    picture.addEventListener('click', onOpen);
    picture.src = source;
    return picture;
  }
  if (kind !== 'video' && kind !== 'audio') return undefined;
  const player = document.createElement(kind);
  player.controls = true;
  player.preload = 'metadata';
  player.setAttribute('aria-label', label);
  player.addEventListener('error', () => player.replaceWith(broken()));
  player.src = source;
  return player;
}

function broken(): HTMLElement {
  return element('div', { class: 'missing' }, t`This file can't be shown here.`);
}
