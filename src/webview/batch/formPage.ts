import { runsText } from '../../core/safety/countText';
import { t } from '../../core/safety/localize';
import type {
  BatchForm,
  BatchSetup,
  FormProblem,
  FromBatchForm,
  ToBatchForm,
  BatchPreview,
} from '../contract/batchEntry';
import { element, setText, textButton } from '../ui/element';
import { FieldWords, labelled } from '../ui/fields';
import { connectHost } from '../ui/host';
import { AxisView } from './axisView';

/** The result of the form: how many runs, how long they take, and the first of them. */
class PreviewView {
  readonly #count = element('p', { class: 'runs', role: 'status' });
  readonly #facts = element('div', { class: 'hint' });
  readonly #problem = element('p', { class: 'problem', role: 'alert' });
  readonly #table = element('table', {});
  readonly #more = element('p', { class: 'hint' });
  readonly root = element(
    'section',
    { 'aria-label': t`Preview` },
    element('h2', {}, t`Preview`),
    this.#count,
    this.#facts,
    this.#problem,
    element('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': t`Runs` }, this.#table),
    this.#more,
  );

  show({ table, problems }: BatchPreview): void {
    const general = problems.filter(({ axis, field }) => axis === undefined && field === undefined);
    setText(this.#problem, general.map(({ message }) => message).join(' '));
    const wrong = problems.some(({ isMissing, isWarning }) => isMissing !== true && isWarning !== true);
    const next = wrong ? t`Fix the problems marked above.` : t`Complete the inputs above.`;
    const correct = general.length > 0 ? '' : next;
    setText(this.#count, table ? runsText(table.count) : correct);
    this.#facts.replaceChildren(...(table?.facts ?? []).map((fact) => element('p', {}, fact)));
    const { columns, rows, count } = table ?? { columns: [], rows: [], count: 0 };
    const isShown = columns.length > 0;
    this.#table.parentElement?.toggleAttribute('hidden', !isShown);
    const left = isShown ? count - rows.length : 0;
    setText(this.#more, left > 0 ? t`… and ${left} more` : '');
    this.#table.replaceChildren(
      element('thead', {}, rowOf('th', ['#', ...columns])),
      element(
        'tbody',
        {},
        ...rows.map((row, index) =>
          rowOf('td', [String(index + 1), ...row.map((value) => value ?? t`new seed`)]),
        ),
      ),
    );
  }
}

function rowOf(tag: 'th' | 'td', texts: readonly string[]): HTMLElement {
  return element('tr', {}, ...texts.map((text) => element(tag, {}, text)));
}

interface Remembered {
  readonly key: string;
  readonly form: BatchForm;
  readonly scrolled: number;
}

/** The Set Up Batch form: what to vary above, what comes of it below. */
export class FormPage {
  readonly #host = connectHost<FromBatchForm, Remembered>();
  readonly #title = element('h1', {});
  readonly #count = element('input', { type: 'number', min: '1' });
  readonly #window = element('input', { type: 'number', min: '1', max: '100', placeholder: '2' });
  readonly #servers = element('div', { class: 'servers' });
  readonly #words = {
    count: new FieldWords([this.#count], t`Leave empty to keep the workflow's seeds.`),
    window: new FieldWords([this.#window]),
    servers: new FieldWords([this.#servers]),
  };
  readonly #axes = element('div', {});
  readonly #add = textButton(t`Add Input`, () => this.#addAxis(), 'secondary');
  readonly #run = textButton(t`Run Batch`, () => this.#send('run'), 'primary');
  readonly #save = textButton(t`Save Batch File`, () => this.#send('save'), 'secondary');
  readonly #saved = element('p', { class: 'hint', role: 'status' });
  readonly #preview = new PreviewView();
  #views: AxisView[] = [];
  #picking: AxisView | undefined;
  #setup: BatchSetup | undefined;
  /** The chosen ones; those that are not configured stay so. */
  #chosen: readonly string[] = [];
  #revision = 0;
  #scrolled = 0;
  #isBack = false;

  start(): void {
    const main = element(
      'main',
      {},
      this.#title,
      element(
        'section',
        { 'aria-label': t`Values` },
        element('h2', {}, t`Inputs to Vary`),
        element(
          'p',
          { class: 'hint' },
          t`Runs every combination of these values. The last input changes fastest.`,
        ),
        this.#axes,
        this.#add,
      ),
      element(
        'section',
        { class: 'settings', 'aria-label': t`Servers` },
        labelled(t`Runs per combination (new seeds each)`, this.#count, this.#words.count),
        element('fieldset', {}, element('legend', {}, t`Servers`), this.#servers, this.#words.servers.root),
        labelled(t`Parallel jobs per server`, this.#window, this.#words.window),
      ),
      this.#preview.root,
      element('div', { class: 'buttons' }, this.#run, this.#save, this.#saved),
    );
    main.hidden = true;
    document.body.append(main);
    main.addEventListener('input', () => this.#changed());
    window.addEventListener('message', (event: MessageEvent<ToBatchForm>) => this.#receive(event.data, main));
    const { form, scrolled = 0 } = this.#host.remembered();
    this.#scrolled = scrolled;
    window.addEventListener('scrollend', () => {
      this.#scrolled = window.scrollY;
      this.#remember();
    });
    this.#host.send({ type: 'ready', form });
  }

  #receive(message: ToBatchForm, main: HTMLElement): void {
    switch (message.type) {
      case 'setup':
        this.#showSetup(message.setup);
        return;
      case 'form':
        this.#showForm(message.form);
        main.hidden = false;
        return;
      case 'preview':
        if (message.revision === this.#revision) {
          this.#preview.show(message.preview);
          this.#showProblems(message.preview.problems);
          this.#scrollBack();
        }
        return;
      case 'picked':
        this.#picking?.useFile(message.file, message.column);
        this.#changed();
        return;
      case 'saved':
        setText(this.#saved, t`Saved as ${this.#setup?.file ?? ''}.`);
    }
  }

  #showSetup(setup: BatchSetup): void {
    this.#setup = setup;
    setText(this.#title, t`Set Up Batch: ${setup.workflow}`);
    for (const view of this.#views) view.useChoices(setup.choices);
    this.#showServers();
  }

  #showForm({ axes, count, window, servers }: BatchForm): void {
    this.#count.value = count;
    this.#window.value = window;
    this.#chosen = servers;
    this.#showServers();
    for (const view of this.#views) view.root.remove();
    this.#views = [];
    for (const axis of axes) this.#addView().show(axis);
    this.#remember();
  }

  /** Includes servers of the file that are not configured. */
  #showServers(): void {
    const known = this.#setup?.servers ?? [];
    const ids = new Set(known.map(({ id }) => id));
    const others = this.#chosen.filter((id) => !ids.has(id)).map((id) => ({ id, name: id }));
    const boxes = [...known, ...others].map(({ id, name }) => {
      const box = element('input', { type: 'checkbox', value: id });
      box.checked = this.#chosen.includes(id);
      return element('label', {}, box, name);
    });
    this.#servers.replaceChildren(...boxes);
  }

  #addAxis(): void {
    this.#addView().focus();
    this.#changed();
  }

  #addView(): AxisView {
    const view = new AxisView({
      pickFile: () => {
        this.#picking = view;
        this.#host.send({ type: 'pickFile' });
      },
      remove: () => {
        this.#views = this.#views.filter((each) => each !== view);
        view.root.remove();
        this.#add.focus();
        this.#changed();
      },
    });
    view.useChoices(this.#setup?.choices ?? []);
    this.#views.push(view);
    this.#axes.append(view.root);
    return view;
  }

  #showProblems(problems: readonly FormProblem[]): void {
    for (const [index, view] of this.#views.entries())
      view.showProblems(problems.filter(({ axis }) => axis === index));
    for (const name of ['count', 'window', 'servers'] as const) {
      const own = problems.filter(({ field }) => field === name);
      this.#words[name].show(own.map(({ message }) => message).join(' '));
    }
    this.#run.disabled = problems.some(({ isWarning }) => isWarning !== true);
  }

  /** After a switch to another tab, once the page is as long as it was. */
  #scrollBack(): void {
    if (this.#isBack) return;
    this.#isBack = true;
    window.scrollTo(0, this.#scrolled);
  }

  #changed(): void {
    const boxes = this.#servers.querySelectorAll('input');
    this.#chosen = [...boxes].flatMap(({ checked, value }) => (checked ? [value] : []));
    setText(this.#saved, '');
    this.#remember();
    this.#revision++;
    this.#host.send({ type: 'change', revision: this.#revision, form: this.#form });
  }

  #remember(): void {
    this.#host.remember({ key: this.#setup?.uri ?? '', form: this.#form, scrolled: this.#scrolled });
  }

  #send(type: 'run' | 'save'): void {
    this.#host.send({ type, form: this.#form });
  }

  get #form(): BatchForm {
    return {
      count: this.#count.value,
      axes: this.#views.map(({ axis }) => axis),
      servers: this.#chosen,
      window: this.#window.value,
    };
  }
}
