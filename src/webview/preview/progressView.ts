import type { PreviewJob, PreviewJobState, PreviewNode } from '../contract/preview';
import { element, setText } from '../ui/element';
import { icon, type IconName } from '../ui/icon';
import { elapsedText, tenthsText, measuredTimeText } from '../../core/safety/timeText';
import { nodesText } from '../../core/safety/countText';
import { t } from '../../core/safety/localize';

const stateIcons: Readonly<Record<PreviewJobState, IconName>> = {
  pending: 'waiting',
  running: 'running',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  lost: 'lost',
};

const nodeIcons: Readonly<Record<PreviewNode['state'], IconName>> = {
  pending: 'waiting',
  running: 'running',
  finished: 'done',
  cached: 'done',
  error: 'failed',
  leftOut: 'cancelled',
};

function iconOf({ state, incomplete, silent }: PreviewJob): IconName {
  if (silent) return 'lost';
  return incomplete ? 'warning' : stateIcons[state];
}

/** The shortest time between announcements, in ms: progress changes too often for a screen reader to follow. */
const spokenEvery = 4_000;

/** Title line, bars and node list of a job. Elements are made once and updated in place, so nothing jumps. */
export class ProgressView {
  readonly root: HTMLElement;
  /** Below the title: the actions on the job. */
  readonly actions = element('div', { class: 'actions' });
  readonly #title = element('h1', {});
  readonly #stateIcon = element('span', { class: 'state-icon' });
  readonly #state = element('span', { class: 'state-text' });
  readonly #meta = element('span', { class: 'meta' });
  readonly #bar = bar(t`Completed nodes`);
  readonly #stepBar = bar(t`Steps of the running node`);
  readonly #spoken = element('p', { class: 'spoken', 'aria-live': 'polite' });
  readonly #words = element('ul', { class: 'words', 'aria-label': t`Messages` });
  readonly #summary = element('summary', {});
  readonly #list = element('ol', { class: 'nodes' });
  readonly #nodes = element('details', { class: 'node-details' }, this.#summary, this.#list);
  readonly #rows = new Map<string, NodeRow>();
  #shownJob = '';
  #spokenAt = 0;

  constructor() {
    const line = element(
      'div',
      { class: 'title-line' },
      this.#stateIcon,
      this.#title,
      this.#state,
      this.#meta,
    );
    const bars = element('div', { class: 'bars' }, this.#bar, this.#stepBar);
    this.root = element(
      'header',
      { class: 'progress' },
      line,
      this.actions,
      bars,
      this.#words,
      this.#spoken,
      this.#nodes,
    );
  }

  /** @param now milliseconds since the epoch, for the elapsed time */
  show(job: PreviewJob, now: number): void {
    const look = job.silent ? 'silent' : job.incomplete ? 'incomplete' : job.state;
    if (this.#stateIcon.dataset.state !== look) {
      this.#stateIcon.dataset.state = look;
      this.#stateIcon.replaceChildren(icon(iconOf(job)));
    }
    setText(this.#title, job.title);
    this.#title.title = job.title;
    setText(this.#state, job.stateText);
    setBar(this.#bar, job.state === 'completed' ? 1 : job.fraction);
    setBar(this.#stepBar, job.stepFraction ?? 0);
    // How far it was means nothing any more.
    this.#bar.parentElement?.toggleAttribute('hidden', job.state === 'lost');
    this.#bar.parentElement?.classList.toggle('idle', job.state !== 'running' && job.state !== 'pending');
    if (now - this.#spokenAt >= spokenEvery || job.state !== 'running') {
      this.#spokenAt = now;
      setText(this.#spoken, `${job.stateText}. ${job.progressText}`);
    }
    this.#showWords(job);
    this.#showNodes(job);
    this.showTime(job, now);
  }

  showTime(job: PreviewJob, now: number): void {
    const parts = [job.server];
    const took = job.took ?? (job.startedAt === undefined ? undefined : elapsedText(now - job.startedAt));
    if (took !== undefined) parts.unshift(took);
    setText(this.#meta, parts.join(' · '));
    for (const node of job.nodes) this.#rows.get(node.id)?.showTime(node, now);
  }

  #showWords({ words }: PreviewJob): void {
    this.#words.hidden = words.length === 0;
    while (this.#words.children.length > words.length) this.#words.lastElementChild?.remove();
    for (const [index, { from, text }] of words.entries()) {
      const row = this.#words.children[index] ?? this.#words.appendChild(element('li'));
      if (row instanceof HTMLElement) setText(row, `${from}: ${text}`);
    }
  }

  #showNodes(job: PreviewJob): void {
    this.#nodes.hidden = job.nodes.length === 0;
    setText(this.#summary, job.progressText || nodesText(job.nodes.length));
    const signature = `${job.id} ${job.nodes.map((node) => node.id).join(' ')}`;
    if (signature !== this.#shownJob) {
      this.#shownJob = signature;
      this.#rows.clear();
      for (const node of job.nodes) this.#rows.set(node.id, new NodeRow(node));
      this.#list.replaceChildren(...[...this.#rows.values()].map((row) => row.root));
    }
    for (const node of job.nodes) this.#rows.get(node.id)?.show(node);
  }
}

class NodeRow {
  readonly root: HTMLElement;
  readonly #icon = element('span', { class: 'node-icon' });
  readonly #note = element('span', { class: 'node-note' });
  readonly #time = element('span', { class: 'node-time' });
  #state = '';

  constructor(node: PreviewNode) {
    const name = element('span', { class: 'node-name', title: `${node.name} (${node.id})` }, node.name);
    const line = element('div', { class: 'node-line' }, this.#icon, name, this.#note, this.#time);
    this.root = element('li', {}, line);
  }

  show(node: PreviewNode): void {
    if (node.state !== this.#state) {
      this.#state = node.state;
      this.root.dataset.state = node.state;
      this.#icon.replaceChildren(icon(nodeIcons[node.state]));
    }
    setText(this.#note, node.note);
  }

  showTime({ startedAt, endedAt, state }: PreviewNode, now: number): void {
    const until = endedAt ?? (state === 'running' ? now : undefined);
    const took = startedAt === undefined || until === undefined ? undefined : until - startedAt;
    const words = endedAt === undefined ? tenthsText : measuredTimeText;
    setText(this.#time, took === undefined ? '' : words(took));
  }
}

function bar(label: string): HTMLElement {
  const fill = element('div', { class: 'fill' });
  return element(
    'div',
    { class: 'bar', role: 'progressbar', 'aria-label': label, 'aria-valuemin': '0', 'aria-valuemax': '100' },
    fill,
  );
}

function setBar(target: HTMLElement, fraction: number): void {
  const share = Math.min(1, Math.max(0, fraction));
  target.setAttribute('aria-valuenow', String(Math.round(share * 100)));
  const fill = target.firstElementChild;
  if (fill instanceof HTMLElement) fill.style.transform = `scaleX(${share})`;
}
