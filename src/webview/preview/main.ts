import '../ui/language';
import { startOfSentence } from '../../core/safety/endSentence';
import { t } from '../../core/safety/localize';
import type { FromPreview, PreviewJob, PreviewOutput, PreviewRefusal, ToPreview } from '../contract/preview';
import { element, textButton } from '../ui/element';
import { connectHost } from '../ui/host';
import { icon, type IconName } from '../ui/icon';
import { FrameView } from './frameView';
import { OutputStrip } from './outputStrip';
import { type OnAction, OutputView } from './outputView';
import { ProgressView } from './progressView';
import '../ui/panel.css';
import './preview.css';

interface Remembered {
  readonly jobId: string;
  readonly selected?: string;
}

/** The preview panel: progress above, the live frame or the selected output in the middle, thumbnails below. */
class PreviewPanel {
  readonly #host = connectHost<FromPreview, Remembered>();
  readonly #progress = new ProgressView();
  readonly #frame = new FrameView(new AbortController().signal);
  readonly #strip = new OutputStrip((key) => this.#select(key));
  readonly #content = element('div', { class: 'content' });
  readonly #notice = element('div', { class: 'notice', role: 'status' });
  readonly #cancel = textButton(
    t`Cancel`,
    () => this.#withJob((job) => this.#host.send({ type: 'cancel', jobId: job.id })),
    'secondary',
  );
  readonly #runAgain = runButton('again', t`Run Again`, () => this.#again('keep'));
  readonly #newSeeds = runButton('vary', t`Run with New Seeds`, () => this.#again('new'));
  readonly #refusal = new RefusalView({
    goToProblem: (index) => this.#host.send({ type: 'goToProblem', index }),
    showProblems: () => this.#host.send({ type: 'showProblems' }),
    run: () => this.#host.send({ type: 'run' }),
  });
  readonly #empty = emptyState(() => this.#host.send({ type: 'run' }));
  readonly #comparing = { on: false };
  #job: PreviewJob | null = null;
  #selected = this.#host.remembered().selected;
  #output: { readonly fingerprint: string; readonly view: OutputView } | undefined;
  #told = '';
  #clock: ReturnType<typeof setInterval> | undefined;

  start(): void {
    const results = element('main', { class: 'results' }, this.#notice, this.#content, this.#strip.root);
    document.body.append(this.#progress.root, results, this.#refusal.root, this.#empty);
    this.#progress.actions.append(this.#cancel, this.#runAgain, this.#newSeeds);
    window.addEventListener('message', (event: MessageEvent<ToPreview>) => this.#receive(event.data));
    const jobId = this.#host.remembered().jobId;
    this.#host.send(jobId === undefined ? { type: 'ready' } : { type: 'ready', jobId });
  }

  #receive(message: ToPreview): void {
    if (message.type === 'show') this.#show(message.job, message.refusal);
    else void this.#paint(message);
  }

  async #paint(message: Extract<ToPreview, { type: 'frame' }>): Promise<void> {
    if (message.jobId === this.#job?.id) {
      const first = this.#frame.isEmpty;
      await this.#frame.paint(message.image, message.mime, message.nodeName);
      if (first) this.#showContent();
      else this.#frame.caption(this.#job.state === 'running');
    }
    this.#host.send({ type: 'framePainted', serial: message.serial });
  }

  #show(job: PreviewJob | null, refusal: PreviewRefusal | null): void {
    document.body.classList.remove('waiting');
    document.body.classList.toggle('refused', refusal !== null);
    if (refusal) this.#refusal.show(refusal);
    if (job?.id !== this.#job?.id) {
      this.#frame.clear();
      if (this.#job !== null) this.#selected = undefined;
    }
    this.#job = job;
    document.body.classList.toggle('empty', job === null && refusal === null);
    this.#runClock(job?.state === 'running');
    if (job === null) return;
    this.#remember(job);
    this.#progress.show(job, Date.now());
    this.#cancel.hidden = !job.cancellable;
    this.#newSeeds.hidden = !job.hasSeeds;
    this.#showNotice(job);
    this.#showContent();
  }

  #showNotice(job: PreviewJob): void {
    const failure = job.failure;
    this.#notice.hidden = failure === undefined;
    const fingerprint = failure === undefined ? '' : `${job.id} ${failure.title} ${failure.message}`;
    if (fingerprint === this.#notice.dataset.fingerprint) return;
    this.#notice.dataset.fingerprint = fingerprint;
    this.#notice.replaceChildren();
    if (!failure) return;
    const buttons = element('div', { class: 'buttons' });
    const { nodeId } = failure;
    if (nodeId !== undefined)
      buttons.append(
        textButton(
          t`Go to Node`,
          () => this.#host.send({ type: 'goToNode', jobId: job.id, nodeId }),
          'primary',
        ),
      );
    buttons.append(
      textButton(
        t`Show Error Report`,
        () => this.#host.send({ type: 'showReport', jobId: job.id }),
        'secondary',
      ),
    );
    this.#notice.append(
      element('h2', {}, failure.title),
      failure.message === '' ? '' : element('p', { class: 'message' }, failure.message),
      failure.nextAction === '' ? '' : element('p', {}, failure.nextAction),
      buttons,
    );
  }

  /** The selected output if any, else the live frame of a running job, else an output, else text. */
  #showContent(): void {
    const job = this.#job;
    if (!job) return;
    const isRunning = job.state === 'running';
    const isLive = isRunning && !this.#frame.isEmpty;
    this.#frame.caption(isRunning);
    const [first] = isLive ? [] : job.outputs;
    const output = job.outputs.find(({ key }) => key === this.#selected) ?? first;
    this.#strip.show(job.outputs, output?.key);
    if (output) this.#showOutput(job, output);
    else {
      this.#closeOutput();
      const child = this.#frame.isEmpty ? waitingNote(job) : this.#frame.root;
      if (
        child instanceof HTMLParagraphElement &&
        this.#content.firstElementChild?.textContent === child.textContent
      )
        return;
      if (this.#content.firstElementChild !== child) this.#content.replaceChildren(child);
    }
  }

  #showOutput(job: PreviewJob, output: PreviewOutput): void {
    const fingerprint = `${job.id} ${output.key} ${output.source ?? ''} ${output.fetching === true} ${output.text ?? ''} ${output.previous?.source ?? ''}`;
    if (this.#output?.fingerprint === fingerprint) return;
    const shown = `${job.id} ${output.key}`;
    if (this.#told !== shown) this.#host.send({ type: 'selected', jobId: job.id, key: output.key });
    this.#told = shown;
    this.#closeOutput();
    const act: OnAction = (action, { key }) =>
      this.#host.send({ type: 'output', action, jobId: job.id, key });
    const view = new OutputView(output, act, this.#comparing);
    view.root.addEventListener('keydown', (event) => {
      if (event.shiftKey || (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft')) return;
      this.#strip.move(event.key === 'ArrowRight' ? 1 : -1);
    });
    this.#output = { fingerprint, view };
    this.#content.replaceChildren(view.root);
  }

  #closeOutput(): void {
    this.#output?.view.close();
    this.#output = undefined;
  }

  #select(key: string): void {
    this.#selected = key;
    this.#withJob((job) => this.#remember(job));
    this.#showContent();
    this.#content.querySelector<HTMLElement>('.stage')?.focus({ preventScroll: true });
  }

  #remember(job: PreviewJob): void {
    this.#host.remember(
      this.#selected === undefined ? { jobId: job.id } : { jobId: job.id, selected: this.#selected },
    );
  }

  /** Elapsed time advances between messages too, but only while something runs. */
  #runClock(running: boolean): void {
    if (running === (this.#clock !== undefined)) return;
    if (running)
      this.#clock = setInterval(
        () => this.#withJob((job) => this.#progress.showTime(job, Date.now())),
        1_000,
      );
    else {
      clearInterval(this.#clock);
      this.#clock = undefined;
    }
  }

  #again(seeds: 'keep' | 'new'): void {
    this.#withJob((job) => this.#host.send({ type: 'runAgain', jobId: job.id, seeds }));
  }

  #withJob(use: (job: PreviewJob) => void): void {
    if (this.#job) use(this.#job);
  }
}

function runButton(picture: IconName, label: string, onClick: () => void): HTMLButtonElement {
  const button = textButton(label, onClick, 'secondary');
  button.prepend(icon(picture), ' ');
  return button;
}

function waitingNote(job: PreviewJob): HTMLElement {
  const texts: Readonly<Record<PreviewJob['state'], string>> = {
    pending: t`Waiting in the queue. Previews appear here as soon as the run produces them.`,
    running: t`Running. Previews appear here as soon as a node sends one.`,
    completed: t`This run produced nothing to show.`,
    failed: t`This run produced nothing to show.`,
    cancelled: t`This run produced nothing to show.`,
    lost: t`The outputs of a lost run can't be fetched.`,
  };
  return element('p', { class: 'note' }, texts[job.state]);
}

function emptyState(onRun: () => void): HTMLElement {
  return element(
    'main',
    { class: 'empty-state' },
    element('h1', {}, t`Nothing to show yet`),
    element('p', {}, t`Open a workflow file and run it. Progress, live previews, and outputs appear here.`),
    textButton(t`Run Workflow`, onRun, 'primary'),
  );
}

/** The actions for a run that did not start. */
interface RefusalActions {
  goToProblem(index: number): void;
  showProblems(): void;
  run(): void;
}

/** Why a run did not start, in place of the previous run's pictures, which the user did not ask for. */
class RefusalView {
  readonly root = element('main', { class: 'refusal' });
  #shown = '';

  constructor(private readonly actions: RefusalActions) {}

  show(refusal: PreviewRefusal): void {
    const fingerprint = JSON.stringify(refusal);
    if (fingerprint === this.#shown) return;
    this.#shown = fingerprint;
    const { title, server, message, nextAction, problems, more } = refusal;
    const list = problems.map((problem, index) => this.#problem(problem, index));
    if (more > 0) list.push(element('li', {}, t`${more} more in the Problems panel`));
    const buttons = element('div', { class: 'buttons' });
    if (problems.length > 0)
      buttons.append(textButton(t`Show Problems`, () => this.actions.showProblems(), 'primary'));
    buttons.append(
      textButton(t`Run Workflow`, () => this.actions.run(), problems.length > 0 ? 'secondary' : 'primary'),
    );
    this.root.replaceChildren(
      element('h1', {}, title, element('span', { class: 'state-text' }, ` ${startOfSentence(t`not run`)}`)),
      element('p', { class: 'meta' }, server),
      element(
        'div',
        { class: 'notice', role: 'status' },
        message === '' ? undefined : element('p', {}, message),
        list.length > 0 ? element('ul', { class: 'problems' }, ...list) : undefined,
        nextAction === '' ? undefined : element('p', {}, nextAction),
        buttons,
      ),
    );
  }

  #problem(problem: string, index: number): HTMLElement {
    return element(
      'li',
      {},
      textButton(problem, () => this.actions.goToProblem(index), 'link'),
    );
  }
}

new PreviewPanel().start();
