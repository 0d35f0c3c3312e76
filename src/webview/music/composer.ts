import type { MusicSetup } from '../contract/music';
import { element, setText, textButton } from '../ui/element';
import { setSlider, slider } from '../ui/slider';
import { musicPriceText, promptLength } from './words';
import { t } from '../../core/safety/localize';

export interface ComposerActions {
  readonly generate: (prompt: string, seconds: number) => void;
  readonly selectService: () => void;
  readonly signIn: () => void;
  readonly changed: (prompt: string, seconds: number) => void;
}

/** The form for new music: description, duration, price, and the button to generate. */
export class Composer {
  readonly root: HTMLElement;
  readonly #actions: ComposerActions;
  readonly #prompt = element('textarea', {
    id: 'prompt',
    rows: '3',
    placeholder: t`A slow piano piece with rain in the background, warm and hopeful`,
    'aria-describedby': 'prompt-count prompt-problem',
  });
  readonly #count = element('span', { id: 'prompt-count', class: 'count' });
  readonly #problem = element('p', { id: 'prompt-problem', class: 'problem', role: 'alert' });
  readonly #seconds = element('input', { id: 'seconds', type: 'number', step: '1', required: '' });
  readonly #range = slider({ step: '1', 'aria-label': t`Duration (seconds)` });
  readonly #price = element('span', { id: 'price', class: 'price' });
  readonly #service = element('span', { id: 'service', class: 'service' });
  readonly #generate: HTMLButtonElement;
  readonly #signIn: HTMLButtonElement;
  readonly #change: HTMLButtonElement;
  #setup: MusicSetup | undefined;
  #busy = false;

  constructor(actions: ComposerActions, prompt: string, seconds: number) {
    this.#actions = actions;
    this.#generate = textButton(t`Generate`, () => this.#submit(), 'primary');
    this.#generate.setAttribute('aria-describedby', 'price service');
    this.#signIn = textButton(t`Sign In`, actions.signIn, 'primary');
    this.#change = textButton(t`Change…`, actions.selectService, 'secondary');
    this.#change.setAttribute('aria-label', t`Change… the music service`);
    this.root = element(
      'section',
      { class: 'composer', 'aria-label': t`New music` },
      element('h2', { class: 'spoken' }, t`New music`),
      element(
        'div',
        { class: 'label-line' },
        element('label', { for: 'prompt' }, t`Describe the music`),
        this.#count,
      ),
      this.#prompt,
      element(
        'div',
        { class: 'duration-line' },
        element('label', { for: 'seconds' }, t`Duration (seconds)`),
        this.#seconds,
        this.#range,
      ),
      this.#problem,
      element(
        'div',
        { class: 'submit-line' },
        this.#generate,
        this.#signIn,
        this.#price,
        this.#service,
        this.#change,
      ),
    );
    this.#prompt.value = prompt;
    this.#seconds.value = String(seconds);
    this.#prompt.addEventListener('input', () => this.#changed());
    this.#prompt.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#submit();
    });
    this.#seconds.addEventListener('input', () => this.#changed());
    this.#range.addEventListener('input', () => {
      this.#seconds.value = this.#range.value;
      this.#changed();
    });
  }

  setUp(setup: MusicSetup): void {
    this.#setup = setup;
    for (const input of [this.#seconds, this.#range]) {
      input.min = String(setup.shortestSeconds);
      input.max = String(setup.longestSeconds);
    }
    setText(this.#service, setup.isSandbox ? t`${setup.service}: plays a test tune` : setup.service);
    this.#show();
  }

  /** No new request while something is being generated. */
  setBusy(busy: boolean): void {
    this.#busy = busy;
    this.#show();
  }

  /** Copies a track's settings into the form, to change and generate again. */
  fill(prompt: string, seconds: number): void {
    this.#prompt.value = prompt;
    this.#seconds.value = String(seconds);
    this.#changed();
    this.focus();
    this.#prompt.setSelectionRange(prompt.length, prompt.length);
  }

  focus(): void {
    this.#prompt.focus();
  }

  get #duration(): number {
    return this.#seconds.value.trim() === '' ? NaN : Number(this.#seconds.value);
  }

  #changed(): void {
    this.#actions.changed(this.#prompt.value, this.#duration);
    this.#show();
  }

  #submit(): void {
    if (this.#busy || this.#setup?.ready !== true || this.#problemOf() !== '') return;
    if (this.#prompt.value.trim() === '') this.#prompt.focus();
    else this.#actions.generate(this.#prompt.value, this.#duration);
  }

  #show(): void {
    const setup = this.#setup;
    if (!setup) return;
    const seconds = this.#duration;
    if (Number.isFinite(seconds)) setSlider(this.#range, seconds);
    const length = promptLength(this.#prompt.value);
    setText(this.#count, `${length} / ${setup.promptCharacters}`);
    this.#count.classList.toggle('over', length > setup.promptCharacters);
    const problem = this.#problemOf();
    setText(this.#problem, problem);
    this.#problem.hidden = problem === '';
    this.#prompt.setAttribute('aria-invalid', String(length > setup.promptCharacters));
    setText(this.#price, problem === '' ? musicPriceText(seconds, setup) || t`free of charge` : '');
    this.#generate.hidden = !setup.ready;
    this.#signIn.hidden = setup.ready;
    const cannot = this.#busy || problem !== '' || this.#prompt.value.trim() === '';
    // `disabled` would drop the focus if the button has it.
    this.#generate.setAttribute('aria-disabled', String(cannot));
  }

  /** An empty description is not a problem yet: there is just nothing to generate. */
  #problemOf(): string {
    const setup = this.#setup;
    if (!setup) return '';
    // The message stays the same while typing, because it is an alert; the count beside the label shows by how much.
    if (promptLength(this.#prompt.value) > setup.promptCharacters)
      return t`The prompt is too long. The limit is ${setup.promptCharacters} characters.`;
    const { shortestSeconds, longestSeconds } = setup;
    const seconds = this.#duration;
    if (Number.isInteger(seconds) && seconds >= shortestSeconds && seconds <= longestSeconds) return '';
    return t`The duration must be a whole number of seconds from ${shortestSeconds} to ${longestSeconds}.`;
  }
}
