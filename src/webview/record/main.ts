import { mapDefined } from '../../core/safety/lists';
import '../ui/language';
import '../ui/panel.css';
import '../ui/form.css';
import './record.css';
import { t, listText } from '../../core/safety/localize';
import type {
  FromRecord,
  InputField,
  NodeValue,
  PageNode,
  RecordAction,
  RecordChange,
  RecordView,
  ToRecord,
  RecordOutput,
} from '../contract/record';
import { element, menuButton, textButton, wholeImage } from '../ui/element';
import { connectHost } from '../ui/host';
import { icon, type IconName } from '../ui/icon';
import { factSection, inputSection, section, seedSection, textSection, wordsSection } from './sections';
import { ValueForm } from './valueForm';

/** The edited values, while they are edited: they outlive a switch to another tab. */
interface Remembered {
  readonly changes: readonly RecordChange[] | undefined;
}

/** The page of a run record, rebuilt whenever the file changes. */
class RecordPage {
  readonly #host = connectHost<FromRecord, Remembered>();
  readonly #content = element('main', { class: 'page' });
  #shown = '';
  #view: RecordView | undefined;
  #form: ValueForm | undefined;
  #opening: readonly RecordChange[] | undefined;
  #formOf = '';

  start(): void {
    document.body.append(this.#content);
    window.addEventListener('message', (event: MessageEvent<ToRecord>) => this.#receive(event.data));
    this.#host.send({ type: 'ready' });
  }

  #receive(message: ToRecord): void {
    if (message.type === 'edit') {
      this.#edit([]);
      return;
    }
    if (message.type === 'sent') {
      this.#closeForm();
      return;
    }
    if (message.type === 'fields') {
      this.#openForm(message.fields);
      return;
    }
    if (message.type === 'wrong') {
      this.#form?.showWrong(message.wrong);
      return;
    }
    // Unchanged parts keep their focus, their place, and their players.
    const shown = JSON.stringify(message);
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (message.type === 'problem') {
      this.#view = undefined;
      this.#content.replaceChildren(...this.#problem(message.message));
      return;
    }
    const isFirst = this.#view === undefined;
    this.#view = message.view;
    // Other values than those that are edited.
    if (this.#form && this.#formOf !== JSON.stringify(message.view.nodes)) this.#form = undefined;
    const { changes } = this.#host.remembered();
    if (isFirst && Array.isArray(changes)) this.#edit(changes);
    else this.#draw();
  }

  #draw(): void {
    if (!this.#view) return;
    const focused = document.activeElement;
    this.#content.replaceChildren(...this.#page(this.#view, openNodes()));
    // The form is the same, but it was taken out and put back.
    if (focused instanceof HTMLElement && this.#form?.root.contains(focused)) focused.focus();
  }

  #edit(changes: readonly RecordChange[]): void {
    if (this.#view?.canRun !== true) return;
    if (this.#form) {
      this.#form.focus();
      return;
    }
    this.#opening = changes;
    this.#host.send({ type: 'fields' });
    this.#draw();
  }

  #openForm(fields: readonly InputField[]): void {
    const view = this.#view;
    const changes = this.#opening;
    if (!view || !changes || this.#form) return;
    this.#opening = undefined;
    this.#form = new ValueForm(view, fields, changes, {
      run: (made) => this.#host.send({ type: 'runWith', changes: made }),
      cancel: () => this.#closeForm(),
      changed: (made) => {
        this.#host.remember({ changes: made });
        this.#host.send({ type: 'judge', changes: made });
      },
    });
    this.#formOf = JSON.stringify(view.nodes);
    this.#host.remember({ changes });
    if (changes.length > 0) this.#host.send({ type: 'judge', changes });
    this.#draw();
    this.#form.focus();
  }

  #closeForm(): void {
    if (!this.#form) return;
    this.#form = undefined;
    this.#host.remember({ changes: undefined });
    this.#draw();
    this.#content.querySelector<HTMLElement>('.run-with')?.focus();
  }

  #page(view: RecordView, open: ReadonlySet<string>): HTMLElement[] {
    const sections = [
      wordsSection(t`Errors`, view.errors),
      wordsSection(t`Warnings`, view.warnings),
      outputSection(view, (index) => this.#host.send({ type: 'openOutput', index })),
      textSection(view.texts),
      factSection(view.facts),
      seedSection(view.seeds, (index) => this.#host.send({ type: 'copySeed', index })),
      inputSection(view.inputs),
      this.#form ? undefined : nodeSection(view, open),
    ];
    return [
      element(
        'header',
        {},
        element('h1', {}, view.title),
        element('p', { class: `state state-${view.state}` }, view.stateText),
        this.#buttons(view),
      ),
      // The form is at the top, because the user is working on it.
      ...(this.#form ? [this.#form.root] : []),
      ...sections.filter((section) => section !== undefined),
    ];
  }

  #problem(message: string): HTMLElement[] {
    return [
      element('h1', {}, t`Not a run record`),
      element('p', {}, message),
      this.#button('openAsText', t`Open as Text`, 'primary'),
    ];
  }

  #buttons(view: RecordView): HTMLElement {
    const buttons = element('div', { class: 'buttons' });
    if (view.canRun) {
      buttons.append(this.#button('runAgain', t`Run Again`, 'primary', 'again'));
      if (view.seeds.length > 0)
        buttons.append(this.#button('runWithNewSeeds', t`Run with New Seeds`, 'secondary', 'vary'));
      const runWith = textButton(t`Run With…`, () => this.#edit([]), 'secondary');
      runWith.classList.add('run-with');
      runWith.prepend(icon('values'), ' ');
      if (view.nodes.some(({ values }) => values.some(({ edit }) => edit))) buttons.append(runWith);
    } else buttons.append(this.#button('openWorkflow', t`Open Workflow`, 'secondary', 'open'));
    buttons.append(menuButton(icon('more'), t`More Actions…`));
    return buttons;
  }

  #button(
    action: RecordAction,
    label: string,
    kind: 'primary' | 'secondary',
    picture?: IconName,
  ): HTMLElement {
    const button = textButton(label, () => this.#host.send({ type: 'act', action }), kind);
    if (picture) button.prepend(icon(picture), ' ');
    return button;
  }
}

function openNodes(): ReadonlySet<string> {
  const open = document.querySelectorAll<HTMLElement>('details.node[open]');
  return new Set(mapDefined([...open], ({ dataset }) => dataset.node));
}

new RecordPage().start();

/** With more nodes than this, their values are folded at first. */
const unfolded = 12;

function nodeSection(view: RecordView, open: ReadonlySet<string>): HTMLElement | undefined {
  const { nodes, moreNodes, noNodes } = view;
  if (noNodes !== undefined) return section(t`Nodes`, element('p', { class: 'quiet' }, noNodes));
  const isOpen = ({ id }: PageNode): boolean => open.has(id) || (open.size === 0 && nodes.length <= unfolded);
  // Music has none.
  if (nodes.length === 0) return undefined;
  return section(
    t`Nodes`,
    ...nodes.map((node) => nodeView(node, isOpen(node))),
    moreNodes > 0 ? element('p', { class: 'quiet' }, t`More nodes in the prompt: ${moreNodes}.`) : undefined,
  );
}

function nodeView({ id, name, type, time, values, moreValues }: PageNode, isOpen: boolean): HTMLElement {
  const about = [name === type ? '' : type, `#${id}`, time ?? ''].filter((each) => each !== '').join(' · ');
  const details = element(
    'details',
    { class: 'node', 'data-node': id },
    element(
      'summary',
      {},
      element('span', { class: 'name' }, name),
      ' ',
      element('span', { class: 'quiet' }, about),
    ),
    values.length > 0 ? element('dl', { class: 'values' }, ...values.flatMap(valueView)) : undefined,
    moreValues > 0 ? element('p', { class: 'quiet' }, t`${moreValues} more`) : undefined,
  );
  details.open = isOpen;
  return details;
}

function valueView({ name, text, isLink }: NodeValue): HTMLElement[] {
  return [
    element('dt', {}, name),
    element('dd', { class: isLink ? 'link' : 'value' }, isLink ? t`from ${text}` : text),
  ];
}

/** The files of the run: pictures, videos and sounds are shown. */
function outputSection(view: RecordView, onOpen: (index: number) => void): HTMLElement | undefined {
  const { files, moreFiles, unlisted, misnamed } = view;
  const notes = [
    moreFiles > 0 ? t`More files in the record: ${moreFiles}.` : '',
    unlisted > 0 ? t`More outputs that the server doesn't list: ${unlisted}.` : '',
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
    // By keyboard, the name opens it.
    picture.addEventListener('click', onOpen);
    picture.src = source;
    return picture;
  }
  if (kind !== 'video' && kind !== 'audio') return undefined;
  const player = element(kind, { controls: '', preload: 'metadata', 'aria-label': label });
  player.addEventListener('error', () => player.replaceWith(broken()));
  player.src = source;
  return player;
}

function broken(): HTMLElement {
  return element('div', { class: 'missing' }, t`This file can't be shown here.`);
}
