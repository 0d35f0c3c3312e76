import '../ui/language';
import { entryAt } from '../../core/safety/lists';
import { wholeDrawing } from '../../core/drawing/changedDrawing';
import { t } from '../../core/safety/localize';
import type {
  FromGraph,
  GraphAct,
  GraphCrumb,
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
import { FindBar } from './findBar';
import { KeyBox, listenToKeys, zoomStep } from './graphKeys';
import { Minimap } from './minimap';
import { listenToGiven, listenToPointer, type PointerEvents } from './pointer';
import { ProblemBox, RefusalBox } from './problemBox';
import { RowBox } from './rowBox';
import { menuContext, rowNamed } from './rowActs';
import { RunView } from './runView';
import { seenBox, type Size, type View } from './viewport';
import '../ui/panel.css';
import '../ui/form.css';
import './graph.css';

/** The state that opens the panel again after a reload. */
interface Remembered {
  readonly inside: string;
  readonly view: View | undefined;
  readonly room: Size | undefined;
}

/** The page of a graph: a toolbar, and the drawing below it. */
class GraphPage {
  readonly #host = connectHost<FromGraph, Remembered>();
  readonly #send = (message: FromGraph): void => this.#host.send(message);
  readonly #canvas = new GraphCanvas(
    (view) => this.#viewed(view),
    (node) => this.#send({ type: 'selected', node }),
  );
  readonly #find = new FindBar(
    (text, by) => this.#send({ type: 'find', text, from: this.#canvas.selected, by }),
    () => this.#refocus(),
  );
  readonly #back = (): void => this.#canvas.select(this.#canvas.selected, true);
  readonly #rowBox = new RowBox({
    entered: ({ node, input, text }, to) => this.#send({ type: 'change', node, input, from: text, to }),
    left: ({ node, input }) => this.#canvas.focusRow(node, input),
    asked: (type) => this.#send({ type }),
  });
  readonly #problems = new ProblemBox({
    asked: (node) => this.#send({ type: 'findFixes', node }),
    fixed: (id) => this.#send({ type: 'fix', id }),
    left: this.#back,
  });
  readonly #keys = new KeyBox(this.#back);
  readonly #refusal = new RefusalBox(this.#back);
  readonly #run = new RunView(this.#canvas, this.#send);
  readonly #differences = new DifferenceBar((node, takesFocus) => this.#canvas.bring(node, takesFocus));
  readonly #minimap = new Minimap((center) => this.#canvas.center(center));
  readonly #crumbs = element('nav', { class: 'crumbs', 'aria-label': t`Subgraphs` });
  readonly #problem = element('p', { class: 'notice', role: 'status' });
  /** Two versions, which can't be changed. */
  readonly #isComparison = document.body.classList.contains('differences');
  #inside = '';
  #around: string | undefined;
  #isShown = false;
  /** The room that a prompt was laid out for when it opened. */
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
      iconButton(icon('zoomOut'), t`Zoom out (-)`, () => this.#canvas.zoom(1 / zoomStep)),
      iconButton(icon('zoomIn'), t`Zoom in (+)`, () => this.#canvas.zoom(zoomStep)),
      iconButton(icon('fit'), t`Fit (0)`, () => this.#canvas.fit()),
      iconButton(icon('help'), `${t`Keyboard Shortcuts`} (?)`, () => this.#keys.open(this.#isComparison)),
    );
    const title = element('h1', { class: 'spoken' }, t`Graph`);
    const { root, spoken } = this.#run;
    const tools = element(
      'header',
      { class: 'tools' },
      ...[title, this.#crumbs, root, spoken, this.#find.root, zoom],
      this.#isComparison ? undefined : this.#runTools(),
    );
    const stage = element('main', { class: 'stage' }, this.#canvas.root, this.#minimap.root);
    document.body.append(tools, this.#differences.root, this.#problem, stage);
    const events: PointerEvents = {
      chosen: (node, input) => {
        this.#differences.tell(node);
        this.#send({ type: 'goTo', node, input, takesFocus: false });
      },
      opened: (node) => this.#open(node),
      asked: (node) => this.#ask(node),
      acted: (act, node, row) => this.#act(act, node, row),
      stepped: (node, input, by) => {
        if (this.#isComparison) this.#act('edit', node, input);
        else this.#send({ type: 'step', node, input, by });
      },
    };
    listenToPointer(this.#canvas, events);
    listenToKeys(this.#canvas, {
      ...events,
      hasModes: () => this.#hasModes,
      left: () => this.#leave(),
      passed: (by) => this.#differences.step(by, true),
      startedFind: () => this.#find.start(),
      askedKeys: () => this.#keys.open(this.#isComparison),
    });
    if (!this.#isComparison) listenToGiven(this.#canvas, this.#send);
    document.body.dataset['vscodeContext'] = JSON.stringify({ preventDefaultContextMenuItems: true });
    this.#canvas.root.addEventListener('contextmenu', ({ target }) => this.#tellMenu(target), true);
    const theme = new MutationObserver(() => {
      this.#canvas.restyle();
      this.#restyle();
    });
    theme.observe(document.body, { attributeFilter: ['class'] });
    window.addEventListener('message', (event: MessageEvent<ToGraph>) => this.#receive(event.data));
    const { clientWidth: width, clientHeight: height } = this.#canvas.root;
    const room = this.#host.remembered().room ?? { width, height };
    this.#room = room;
    this.#send({ type: 'ready', inside: this.#inside, room });
  }

  #runTools(): HTMLElement {
    return element(
      'div',
      { role: 'toolbar', 'aria-label': t`Run` },
      iconButton(icon('play'), t`Run Workflow`, () => this.#send({ type: 'run' })),
      menuButton(icon('unfold'), t`More Ways to Run`, { webviewSection: 'graphRun' }),
    );
  }

  #receive(message: ToGraph): void {
    switch (message.type) {
      case 'draw': {
        const { crumbs } = message;
        const drawing = wholeDrawing(message.drawing, this.#canvas.drawing);
        // The message was for the page that was here before; a whole drawing follows.
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
        if (this.#find.tell(message.text, message.found) && message.found)
          this.#canvas.showFound(message.found.node);
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
      node: { label: t`Go to Node`, go: () => this.#send({ type: 'goToOrigin' }) },
      text: {
        label: t`Go to Text`,
        go: () => this.#act('goToText', node, input),
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
        this.#find.start();
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
    const trouble = await copyPicture(source, name);
    if (trouble === undefined) setText(this.#run.spoken, t`Copied: ${name}`);
    else this.#tell(trouble, true);
  }

  /** VS Code reads what its menu depends on from the page. */
  #tellMenu(target: EventTarget | null): void {
    const at = target instanceof Element ? target : this.#canvas.root;
    const node = entryAt(this.#canvas.nodes, nodeAround(at));
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
    // The box would be beside something else.
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

  /** In a comparison, only the text can be changed. */
  #act(act: GraphAct, node: string, row?: string): void {
    const takesFocus = act === 'goToText';
    const isInText = this.#isComparison && (takesFocus || act === 'edit');
    this.#send(isInText ? { type: 'goTo', node, input: row, takesFocus } : { type: 'act', act, node, row });
  }

  #ask(node: string): void {
    const findings = this.#canvas.findings(node);
    const badge = this.#canvas.place(node, '.finding');
    if (badge) this.#problems.open(node, this.#canvas.nodes.get(node)?.title ?? node, findings, badge);
  }

  #open(inside: string): void {
    this.#send({ type: 'open', inside });
    this.#canvas.root.focus();
  }

  #leave(): boolean {
    if (this.#around === undefined) return false;
    this.#open(this.#around);
    return true;
  }

  #refocus(): void {
    const { selected } = this.#canvas;
    if (selected === undefined) this.#canvas.root.focus();
    else this.#canvas.select(selected, true);
  }
}

function isSameView(one: View, other: View | undefined): boolean {
  return one.x === other?.x && one.y === other.y && one.scale === other.scale;
}

new GraphPage().start();
