import '../ui/language';
import { wholeDrawing } from '../../core/drawing/changedDrawing';
import { t } from '../../core/safety/localize';
import type {
  FromGraph,
  GraphCrumb,
  GraphFound,
  GraphNodeRun,
  PageAct,
  RowEditor,
  ToGraph,
} from '../contract/graphPanel';
import { copyPicture } from '../ui/copyPicture';
import { element, iconButton, menuButton, setText, textButton } from '../ui/element';
import { connectHost } from '../ui/host';
import { icon } from '../ui/icon';
import { GraphCanvas, nodeAround } from './canvas';
import { DifferenceBar } from './differenceBar';
import { KeyBox } from './keyBox';
import { Minimap } from './minimap';
import { listenToGiven, listenToPointer } from './pointer';
import { ProblemBox, RefusalBox } from './problemBox';
import { RowBox } from './rowBox';
import { fieldMenu, menuContext, modeAct, rowAct, rowNamed, shownRows } from './rowActs';
import { RunView } from './runView';
import { seenBox, type Size, type View } from './viewport';
import { type Direction, nextNode } from './walk';
import '../ui/panel.css';
import '../ui/form.css';
import './graph.css';

/** What opens the panel again after a reload, as it was. */
interface Remembered {
  readonly inside: string;
  readonly view: View | undefined;
  readonly room: Size | undefined;
}

const zoomStep = 1.25;
const panStep = 80;

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** The page of a graph: a toolbar, and the drawing below it. */
class GraphPage {
  readonly #host = connectHost<FromGraph, Remembered>();
  readonly #canvas = new GraphCanvas(
    (view) => this.#viewed(view),
    (node) => this.#host.send({ type: 'selected', node }),
  );
  readonly #rowBox = new RowBox({
    entered: ({ node, input, text }, to) => this.#host.send({ type: 'change', node, input, from: text, to }),
    left: ({ node, input }) => this.#canvas.focusRow(node, input),
    asked: (type) => this.#host.send({ type }),
  });
  readonly #problems = new ProblemBox({
    asked: (node) => this.#host.send({ type: 'findFixes', node }),
    fixed: (id) => this.#host.send({ type: 'fix', id }),
    left: () => this.#canvas.select(this.#canvas.selected, true),
  });
  readonly #keys = new KeyBox(() => this.#canvas.select(this.#canvas.selected, true));
  readonly #refusal = new RefusalBox(() => this.#canvas.select(this.#canvas.selected, true));
  readonly #run = new RunView(this.#canvas, (message) => this.#host.send(message));
  readonly #differences = new DifferenceBar((node, takesFocus) => this.#canvas.bring(node, takesFocus));
  readonly #minimap = new Minimap((center) => this.#canvas.center(center));
  readonly #crumbs = element('nav', { class: 'crumbs', 'aria-label': t`Subgraphs` });
  readonly #problem = element('p', { class: 'notice', role: 'status' });
  readonly #field = element('input', {
    type: 'search',
    placeholder: t`Find a node`,
    'aria-label': t`Find a node by its title, type, ID, or value`,
  });
  readonly #count = element('output', { class: 'count' });
  /** Two versions, which can't be changed. */
  readonly #isComparison = document.body.classList.contains('differences');
  #inside = '';
  /** The level around it. */
  #around: string | undefined;
  #isShown = false;
  /** What a prompt was laid out for when it opened. */
  #room: Size | undefined;
  #hasModes = false;
  #view: View | undefined;
  #saving: ReturnType<typeof setTimeout> | undefined;

  start(): void {
    const { inside } = this.#host.remembered();
    this.#inside = typeof inside === 'string' ? inside : '';
    this.#problem.hidden = true;
    const zoom = element(
      'div',
      { role: 'toolbar', 'aria-label': t`Zoom` },
      iconButton(icon('zoomOut'), t`Zoom Out (-)`, () => this.#canvas.zoom(1 / zoomStep)),
      iconButton(icon('zoomIn'), t`Zoom In (+)`, () => this.#canvas.zoom(zoomStep)),
      iconButton(icon('fit'), t`Fit (0)`, () => this.#canvas.fit()),
      iconButton(icon('help'), t`Keyboard Shortcuts (?)`, () => this.#keys.open(this.#isComparison)),
    );
    const find = element('search', { class: 'find' }, this.#field, this.#count);
    const title = element('h1', { class: 'spoken' }, t`Graph`);
    const { root, spoken } = this.#run;
    const tools = element(
      'header',
      { class: 'tools' },
      ...[title, this.#crumbs, root, spoken, find, zoom],
      this.#isComparison ? undefined : this.#runTools(),
    );
    const stage = element('main', { class: 'stage' }, this.#canvas.root, this.#minimap.root);
    document.body.append(tools, this.#differences.root, this.#problem, stage);
    listenToPointer(this.#canvas, {
      chosen: (node, input) => {
        this.#differences.tell(node);
        this.#host.send({ type: 'goTo', node, input, takesFocus: false });
      },
      opened: (node) => this.#open(node),
      zoomedTo: (node) => this.#canvas.zoomTo(node),
      asked: (node) => this.#ask(node),
      openedPicture: (node) => this.#host.send({ type: 'act', act: 'openImage', node }),
      edited: (node, input) => this.#edit({ type: 'edit', node, input }),
      drawnSeed: (node) => this.#host.send({ type: 'act', act: 'newSeed', node }),
      stepped: (node, input, by) => this.#edit({ type: 'step', node, input, by }),
    });
    if (!this.#isComparison) {
      listenToGiven(this.#canvas, (node, file) => this.#host.send({ type: 'useImage', node, file }));
    }
    document.body.dataset['vscodeContext'] = JSON.stringify({ preventDefaultContextMenuItems: true });
    this.#field.dataset['vscodeContext'] = fieldMenu;
    this.#canvas.root.addEventListener('contextmenu', ({ target }) => this.#tellMenu(target), true);
    this.#canvas.root.addEventListener('keydown', (event) => {
      if (this.#act(event)) event.preventDefault();
    });
    document.addEventListener('keydown', (event) => {
      // In a field, they undo what was typed there.
      if (
        isCommand(event, 'z', 'y') &&
        event.target instanceof HTMLElement &&
        event.target.matches('input, textarea')
      ) {
        event.stopPropagation();
      }
      const isTyped = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      const key = isCommand(event, 'f') ? '/' : isTyped ? '' : event.key;
      if (key !== '/' && key !== '?') return;
      event.preventDefault();
      if (key === '/') this.#startFind();
      else this.#keys.open(this.#isComparison);
    });
    this.#field.addEventListener('input', () => this.#find(0));
    this.#field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.#find(event.shiftKey ? -1 : 1);
      if (event.key === 'Escape') this.#leaveFind();
    });
    const theme = new MutationObserver(() => {
      this.#canvas.restyle();
      this.#restyle();
    });
    theme.observe(document.body, { attributeFilter: ['class'] });
    window.addEventListener('message', (event: MessageEvent<ToGraph>) => this.#receive(event.data));
    const { clientWidth: width, clientHeight: height } = this.#canvas.root;
    const room = this.#host.remembered().room ?? { width, height };
    this.#room = room;
    this.#host.send({ type: 'ready', inside: this.#inside, room });
  }

  #runTools(): HTMLElement {
    return element(
      'div',
      { role: 'toolbar', 'aria-label': t`Run` },
      iconButton(icon('play'), t`Run Workflow`, () => this.#host.send({ type: 'run' })),
      menuButton(icon('unfold'), t`More Ways to Run`, { webviewSection: 'graphRun' }),
    );
  }

  #receive(message: ToGraph): void {
    switch (message.type) {
      case 'draw': {
        const { crumbs } = message;
        const drawing = wholeDrawing(message.drawing, this.#canvas.drawing);
        // It was sent to the page that was here before: a whole one follows.
        if (!drawing) return;
        this.#problems.close();
        this.#hasModes = message.hasModes === true;
        const inside = crumbs.at(-1)?.inside ?? '';
        this.#tell(message.hint ?? '', true);
        const isOther = this.#isShown && inside !== this.#inside;
        if (isOther) this.#rowBox.leave();
        const opens = { view: this.#isShown ? undefined : this.#remembered(inside), near: message.at };
        const isOpening = isOther || !this.#isShown;
        this.#inside = inside;
        this.#around = crumbs.at(-2)?.inside;
        this.#isShown = true;
        this.#minimap.show(drawing);
        this.#canvas.show(drawing, isOpening ? opens : undefined);
        if (isOpening && message.at !== undefined) this.#canvas.select(message.at);
        this.#restyle();
        this.#rowBox.follow((editor) => this.#rowPlace(editor));
        this.#differences.show(this.#isComparison ? drawing : undefined);
        this.#showCrumbs(crumbs);
        this.#remember();
        return;
      }
      case 'problem':
        this.#tell(message.message);
        return;
      case 'found':
        this.#found(message.text, message.found);
        return;
      case 'findings':
        this.#canvas.showFindings(message.findings);
        this.#minimap.showFindings(message.findings);
        return;
      case 'fixes':
        this.#problems.offer(message.node, message.problems);
        return;
      case 'run':
        this.#run.show(message.run);
        this.#minimap.showRun(message.run);
        return;
      case 'frame':
        void this.#run.paint(message);
        return;
      case 'editor': {
        const place = this.#rowPlace(message.editor);
        if (place && message.editor.node === this.#canvas.selected) this.#rowBox.open(message.editor, place);
        return;
      }
      case 'images':
        this.#run.showImages(message.images);
        return;
      case 'image':
        this.#run.useImage(message);
        return;
      case 'refused':
        this.#refuse(message);
        return;
      case 'act':
        this.#do(message.act, message.node);
        return;
      case 'select':
        if (message.node !== this.#canvas.selected) this.#canvas.select(message.node);
    }
  }

  #refuse({ node, input, words, leadsTo }: Extract<ToGraph, { readonly type: 'refused' }>): void {
    const at = this.#rowPlace({ node, input }) ?? this.#canvas.place(node, '.outline');
    if (!at) {
      this.#tell(words, true);
      return;
    }
    const ways = {
      node: { label: t`Go to Node`, go: () => this.#host.send({ type: 'goToOrigin' }) },
      text: {
        label: t`Go to Text`,
        go: () => this.#host.send({ type: 'goTo', node, input, takesFocus: true }),
      },
    };
    this.#refusal.open(words, at, leadsTo && ways[leadsTo]);
  }

  #do(act: PageAct, node = ''): void {
    switch (act) {
      case 'fit':
        this.#canvas.fit();
        return;
      case 'find':
        this.#startFind();
        return;
      case 'quickFix':
        this.#ask(node);
        return;
      case 'copyImage': {
        const picture = this.#run.pictureOf(node);
        if (picture) void this.#copy(picture);
      }
    }
  }

  async #copy({ source, name }: NonNullable<GraphNodeRun['picture']>): Promise<void> {
    const isCopied = await copyPicture(source).then(
      () => true,
      () => false,
    );
    if (isCopied) setText(this.#run.spoken, t`Copied: ${name}`);
    else
      this.#tell(
        t`${name} can't be copied: this window doesn't allow images on the clipboard. Use Open Image instead.`,
        true,
      );
  }

  /** VS Code reads what its menu depends on from the page. */
  #tellMenu(target: EventTarget | null): void {
    const at = target instanceof Element ? target : this.#canvas.root;
    const node = this.#canvas.nodes.get(nodeAround(at) ?? '');
    const context = !node
      ? { webviewSection: 'graph' }
      : at.closest('[data-picture]')
        ? { webviewSection: 'graphImage', node: node.id }
        : menuContext(node, rowNamed(node, at.closest<SVGElement>('[data-row]')?.dataset['row']), {
            hasModes: this.#hasModes,
            hasProblems: this.#canvas.findings(node.id).length > 0,
          });
    if (node) this.#canvas.select(node.id);
    this.#canvas.root.dataset['vscodeContext'] = JSON.stringify(context);
  }

  #restyle(): void {
    const { palette } = this.#canvas;
    this.#differences.restyle(palette);
    this.#minimap.restyle(palette);
  }

  #tell(problem: string, isHint = false): void {
    setText(this.#problem, problem);
    this.#problem.classList.toggle('hint', isHint);
    this.#problem.hidden = problem === '';
  }

  #remembered(inside: string): View | undefined {
    const before = this.#host.remembered();
    const { view } = before;
    return before.inside === inside && view && [view.x, view.y, view.scale].every(Number.isFinite)
      ? view
      : undefined;
  }

  #viewed(view: View): void {
    // It would be beside something else.
    if (!isSameView(view, this.#view)) this.#closeBoxes();
    this.#view = view;
    this.#minimap.frame(seenBox(view, this.#canvas.size));
    this.#run.askImages();
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.#remember(), 200);
  }

  #remember(): void {
    if (!this.#isShown) return;
    this.#host.remember({ inside: this.#inside, view: this.#canvas.view, room: this.#room });
  }

  #showCrumbs(crumbs: readonly GraphCrumb[]): void {
    const shown = crumbs.map(({ inside, title }, index) => {
      if (index === crumbs.length - 1) return element('span', { 'aria-current': 'page' }, title);
      return textButton(title, () => this.#open(inside), 'link');
    });
    this.#crumbs.replaceChildren(
      ...shown.flatMap((each, index) =>
        index === 0 ? [each] : [element('span', { class: 'between', 'aria-hidden': 'true' }, '›'), each],
      ),
    );
  }

  #closeBoxes(): void {
    this.#problems.close();
    this.#refusal.close();
    this.#rowBox.leave();
  }

  #rowPlace({ node, input }: Pick<RowEditor, 'node' | 'input'>): DOMRect | undefined {
    return this.#canvas.place(node, `[data-row="${CSS.escape(input)}"]`);
  }

  /** Whether the key means something in a row. */
  #actInRow({ key }: KeyboardEvent, node: string, input: string): boolean {
    const drawn = this.#canvas.nodes.get(node);
    const row = rowNamed(drawn, input);
    const act = row && rowAct(key, row);
    if (!drawn || !act) return false;
    const rows = shownRows(drawn);
    switch (act.kind) {
      case 'move':
        this.#canvas.focusRow(node, rows[rows.indexOf(row) + act.by]?.name ?? input);
        return true;
      case 'leave':
        this.#canvas.select(node, true);
        return true;
      case 'edit':
        this.#edit({ type: 'edit', node, input });
        return true;
      case 'step':
        this.#edit({ type: 'step', node, input, by: act.by });
        return true;
    }
  }

  /** In a comparison, only the text can be changed. */
  #edit(message: Extract<FromGraph, { readonly type: 'edit' | 'step' }>): void {
    const { node, input } = message;
    this.#host.send(this.#isComparison ? { type: 'goTo', node, input, takesFocus: false } : message);
  }

  #ask(node: string): void {
    const findings = this.#canvas.findings(node);
    const badge = this.#canvas.place(node, '.finding');
    if (badge) this.#problems.open(node, this.#canvas.nodes.get(node)?.title ?? node, findings, badge);
  }

  #open(inside: string): void {
    this.#host.send({ type: 'open', inside });
    this.#canvas.root.focus();
  }

  /** Whether the key means something here. */
  #act(event: KeyboardEvent): boolean {
    if (event.key === '.' && this.#canvas.selected !== undefined) {
      this.#ask(this.#canvas.selected);
      return true;
    }
    if (event.ctrlKey || event.metaKey) return this.#changeMode(event);
    const canvas = this.#canvas;
    const { selected, drawing } = canvas;
    const row = event.target instanceof SVGElement ? event.target.dataset['row'] : undefined;
    if (row !== undefined && selected !== undefined && this.#actInRow(event, selected, row)) return true;
    const direction = directions[event.key];
    if (event.altKey) return event.key === 'ArrowLeft' && this.#leave();
    if (direction) {
      if (event.shiftKey) {
        const [x, y] = { left: [1, 0], right: [-1, 0], up: [0, 1], down: [0, -1] }[direction] as [
          number,
          number,
        ];
        canvas.pan(x * panStep, y * panStep);
      } else {
        const next = selected === undefined ? drawing.nodes[0]?.id : nextNode(drawing, selected, direction);
        if (next !== undefined) canvas.select(next, true);
      }
      return true;
    }
    switch (event.key) {
      case 'Tab':
        return this.#step(event.shiftKey ? -1 : 1);
      case 'Escape':
        if (selected === undefined) return false;
        canvas.select(undefined);
        canvas.root.focus();
        return true;
      case 'Enter':
        if (selected !== undefined) this.#host.send({ type: 'goTo', node: selected, takesFocus: true });
        return true;
      case 'o':
        if (selected !== undefined) this.#host.send({ type: 'act', act: 'openImage', node: selected });
        return true;
      case ' ':
        if (selected !== undefined && canvas.nodes.get(selected)?.isInstance === true) this.#open(selected);
        return true;
      case 'F2': {
        const node = selected === undefined ? undefined : canvas.nodes.get(selected);
        const [first] = node ? shownRows(node) : [];
        if (node && first) canvas.focusRow(node.id, first.name);
        return true;
      }
      case 'Backspace':
        return this.#leave();
      case '+':
      case '=':
        canvas.zoom(zoomStep);
        return true;
      case '-':
        canvas.zoom(1 / zoomStep);
        return true;
      case '0':
        canvas.fit();
        return true;
      case 'n':
        return this.#differences.step(1, true);
      case 'p':
        return this.#differences.step(-1, true);
      default:
        return false;
    }
  }

  /** Without a selected node, these are keys of VS Code. */
  #changeMode(event: KeyboardEvent): boolean {
    const node = this.#canvas.nodes.get(this.#canvas.selected ?? '');
    const isPlain = !event.shiftKey && !event.altKey;
    const act = node && this.#hasModes && isPlain ? modeAct(event.key.toLowerCase(), node) : undefined;
    if (!node || !act) return false;
    this.#host.send({ type: 'act', act, node: node.id });
    event.stopPropagation();
    return true;
  }

  /** The node before or after in the file. From the last one, or if none is selected, the focus leaves the drawing. */
  #step(by: 1 | -1): boolean {
    const { nodes } = this.#canvas.drawing;
    const index = nodes.findIndex(({ id }) => id === this.#canvas.selected);
    const isInside = document.activeElement !== this.#canvas.root;
    const next = index < 0 ? undefined : nodes[isInside ? index + by : index];
    if (!next || (!isInside && by === -1)) return false;
    this.#canvas.select(next.id, true);
    return true;
  }

  /** Back to the level around this one. */
  #leave(): boolean {
    if (this.#around === undefined) return false;
    this.#open(this.#around);
    return true;
  }

  /** @param by 0 for the first one that is found, or the same if it still is */
  #find(by: -1 | 0 | 1): void {
    const text = this.#field.value;
    if (text.trim() === '') setText(this.#count, '');
    else this.#host.send({ type: 'find', text, from: this.#canvas.selected, by });
  }

  #found(text: string, found: GraphFound | null): void {
    // More was typed since.
    if (text !== this.#field.value) return;
    const at = found ? t`${found.number} of ${found.count}` : t`Not found`;
    const words = found && found.where !== '' ? t`${at}, in ${found.where}` : at;
    setText(this.#count, words);
    this.#count.title = words;
    if (found) this.#canvas.showFound(found.node);
  }

  #startFind(): void {
    window.focus();
    this.#field.focus();
    this.#field.select();
  }

  #leaveFind(): void {
    this.#field.value = '';
    setText(this.#count, '');
    const { selected } = this.#canvas;
    if (selected === undefined) this.#canvas.root.focus();
    else this.#canvas.select(selected, true);
  }
}

/** One of some keys with Ctrl or Cmd. */
function isCommand({ ctrlKey, metaKey, key }: KeyboardEvent, ...keys: readonly string[]): boolean {
  return (ctrlKey || metaKey) && keys.includes(key.toLowerCase());
}

function isSameView(one: View, other: View | undefined): boolean {
  return one.x === other?.x && one.y === other.y && one.scale === other.scale;
}

new GraphPage().start();
