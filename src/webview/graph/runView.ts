import { t } from '../../core/safety/localize';
import type { FromGraph, GraphNodeRun, GraphRun, NamedImage, ToGraph } from '../contract/graphPanel';
import { element, iconButton, setText, textButton } from '../ui/element';
import { icon } from '../ui/icon';
import type { GraphCanvas } from './canvas';
import type { ShownNodeRun } from './nodeRun';

type Frame = ToGraph & { readonly type: 'frame' };

/** Steps come several times a second (ms). */
const spokenEvery = 4_000;

/** A server may send previews of every node, and large ones. */
const mostFrames = 20;

/** The run that the graph shows: a line above it, and what is on the nodes. */
export class RunView {
  readonly root: HTMLElement;
  /** How it stands, for a screen reader. */
  readonly spoken = element('p', { class: 'spoken', 'aria-live': 'polite' });
  #spokenAt = 0;
  readonly #line: HTMLButtonElement;
  #run: GraphRun | null = null;
  #images: ReadonlyMap<string, NamedImage> = new Map();
  /** Addresses of those that came from the server. */
  readonly #fetched = new Map<string, string>();
  #awaited = new Set<string>();
  /** The last preview of each node of the run. */
  readonly #frames = new Map<string, string>();

  constructor(
    private readonly canvas: GraphCanvas,
    private readonly send: (message: FromGraph) => void,
  ) {
    this.#line = textButton('', () => send({ type: 'openRun' }), 'link');
    const hide = iconButton(icon('close'), t`Hide Run`, () => send({ type: 'hideRun' }));
    this.root = element('div', { class: 'run', role: 'group', 'aria-label': t`Run` }, this.#line, hide);
    this.root.hidden = true;
    canvas.root.addEventListener('error', ({ target }) => markLost(target), true);
  }

  show(run: GraphRun | null): void {
    const isOther = run?.jobId !== this.#run?.jobId;
    if (isOther) this.#forgetFrames(0);
    this.#run = run;
    this.root.hidden = run === null;
    const line = run ? t`${run.name}: ${run.words}` : '';
    setText(this.#line, run?.words ?? '');
    this.#line.title = line;
    const isRunning = run?.nodes.some(({ state }) => state === 'running') === true;
    if (isOther || !isRunning || Date.now() - this.#spokenAt >= spokenEvery) {
      this.#spokenAt = Date.now();
      setText(this.spoken, isOther ? line : (run?.words ?? ''));
    }
    this.#showOnNodes();
  }

  pictureOf(node: string): GraphNodeRun['picture'] {
    return this.#run?.nodes.find((each) => each.node === node)?.picture ?? this.#imageOf(node);
  }

  showImages(images: readonly NamedImage[]): void {
    const before = this.#images;
    this.#images = new Map(images.map((image) => [image.node, image]));
    for (const [node, address] of this.#fetched) {
      if (this.#images.get(node)?.name === before.get(node)?.name) continue;
      URL.revokeObjectURL(address);
      this.#fetched.delete(node);
    }
    this.#awaited = new Set(
      images.flatMap(({ node, source }) => (source === undefined && !this.#fetched.has(node) ? node : [])),
    );
    this.#showOnNodes();
    this.askImages();
  }

  /** Asks for the images of the server whose nodes have come into sight. */
  askImages(): void {
    for (const node of this.#awaited) {
      if (!this.canvas.place(node, '.outline')) continue;
      this.#awaited.delete(node);
      this.send({ type: 'findImage', node });
    }
  }

  useImage({ node, name, mime, image }: Extract<ToGraph, { readonly type: 'image' }>): void {
    if (this.#images.get(node)?.name !== name) return;
    this.#fetched.set(node, URL.createObjectURL(new Blob([image], { type: mime })));
    this.#showOnNodes();
  }

  #imageOf(node: string): GraphNodeRun['picture'] {
    const { name, source } = this.#images.get(node) ?? {};
    const address = source ?? this.#fetched.get(node);
    if (name === undefined || address === undefined) return undefined;
    return { source: address, name, more: 0, isRemote: source === undefined };
  }

  /** Shows a preview once it is decoded, so that the last one stays until then. */
  async paint({ serial, jobId, node, mime, image }: Frame): Promise<void> {
    const address = URL.createObjectURL(new Blob([image], { type: mime }));
    const decoded = new Image();
    decoded.src = address;
    const isImage = await decoded.decode().then(
      () => true,
      () => false,
    );
    if (isImage && jobId === this.#run?.jobId) {
      const last = this.#frames.get(node);
      this.#frames.delete(node);
      this.#frames.set(node, address);
      this.#forgetFrames(mostFrames);
      if (last === undefined) this.#showOnNodes();
      else {
        this.canvas.showFrame(node, address);
        URL.revokeObjectURL(last);
      }
    } else URL.revokeObjectURL(address);
    this.send({ type: 'framePainted', serial });
  }

  /** Forgets all but the last frames. */
  #forgetFrames(kept: number): void {
    for (const [node, address] of [...this.#frames].slice(0, Math.max(0, this.#frames.size - kept))) {
      URL.revokeObjectURL(address);
      this.#frames.delete(node);
    }
  }

  #showOnNodes(): void {
    const shown = new Map<string, ShownNodeRun>();
    for (const node of this.#images.keys()) {
      const picture = this.#imageOf(node);
      if (picture) shown.set(node, { node, note: '', words: '', picture });
    }
    for (const run of this.#run?.nodes ?? []) {
      const { node, picture = this.#imageOf(node) } = run;
      // Later, it would hide what else the run shows.
      const frame = run.state === 'running' ? this.#frames.get(node) : undefined;
      shown.set(node, { ...run, picture, frame });
    }
    this.canvas.showRuns(shown);
  }
}

/** Its file was deleted since, or can't be shown. */
function markLost(image: EventTarget | null): void {
  if (image instanceof SVGImageElement) image.closest('.picture')?.classList.add('gone');
}
