import '../ui/language';
import { t } from '../../core/safety/localize';
import type { FromMusic, MusicSetup, MusicTrackView, MusicTrouble, ToMusic } from '../contract/music';
import { element, setText, textButton } from '../ui/element';
import { connectHost } from '../ui/host';
import { Composer } from './composer';
import { GenerationView } from './generationView';
import { Player } from './player';
import { TrackList } from './trackList';
import { musicPriceText, spokenTime } from './words';
import '../ui/panel.css';
import './music.css';

/** State that survives a reload of the window: the unfinished description, and the playback settings. */
interface Remembered {
  readonly prompt: string;
  readonly seconds: number;
  readonly volume: number;
  readonly loop: boolean;
  readonly trackId: string | undefined;
}

/** The music panel: the form at the top, progress below it, then the player and all tracks. */
class MusicPanel {
  readonly #host = connectHost<FromMusic, Remembered>();
  #remembered: Remembered = readRemembered(this.#host.remembered());
  readonly #composer = new Composer(
    {
      generate: (prompt, seconds) => this.#host.send({ type: 'generate', prompt, seconds }),
      selectService: () => this.#host.send({ type: 'selectService' }),
      signIn: () => this.#host.send({ type: 'signIn' }),
      changed: (prompt, seconds) => this.#remember({ prompt, ...(Number.isFinite(seconds) && { seconds }) }),
    },
    this.#remembered.prompt,
    this.#remembered.seconds,
  );
  readonly #generation = new GenerationView(() => this.#host.send({ type: 'cancel' }));
  readonly #trouble = new TroubleView({
    keep: () => this.#host.send({ type: 'keep' }),
    dismiss: () => this.#host.send({ type: 'dismiss' }),
    signIn: () => this.#host.send({ type: 'signIn' }),
    again: (prompt, seconds) => this.#composer.fill(prompt, seconds),
  });
  readonly #player: Player = new Player({
    volume: this.#remembered.volume,
    loop: this.#remembered.loop,
    onPeaks: (id, peaks) => this.#host.send({ type: 'peaks', id, peaks }),
    onChange: (state) => this.#remember(state),
    onState: () => this.#mark(),
  });
  readonly #tracks = new TrackList({
    play: (track) => this.#play(track),
    act: (action, { id }) => this.#host.send({ type: 'track', action, id }),
    vary: ({ prompt, asked }) => this.#composer.fill(prompt, asked),
    undo: () => this.#host.send({ type: 'undo' }),
  });
  /** Announces the end to a screen reader: the section with the progress is gone by then. */
  readonly #ended = element('p', { class: 'spoken', role: 'status' });
  #setup: MusicSetup | undefined;
  #known: Extract<ToMusic, { type: 'tracks' }> | undefined;

  start(): void {
    document.body.append(
      element(
        'main',
        {},
        element('h1', { class: 'spoken' }, t`Music`),
        this.#composer.root,
        this.#generation.root,
        this.#trouble.root,
        this.#player.root,
        this.#tracks.root,
        this.#ended,
      ),
    );
    window.addEventListener('message', (event: MessageEvent<ToMusic>) => this.#receive(event.data));
    this.#host.send({ type: 'ready' });
  }

  #receive(message: ToMusic): void {
    const focused = document.activeElement;
    this.#take(message);
    if (focused && focused !== document.body && !focused.checkVisibility()) this.#moveFocus(focused);
  }

  /** The focused element is gone: moves the focus to where the work continues, not to the start of the page. */
  #moveFocus(from: Element): void {
    if (this.#tracks.focusAfter(from) || this.#trouble.focus()) return;
    this.#composer.focus();
  }

  #take(message: ToMusic): void {
    switch (message.type) {
      case 'setup':
        this.#setup = message.setup;
        this.#composer.setUp(message.setup);
        this.#generation.setCharges(message.setup.creditsPerSecond !== 0);
        this.#player.setDecoder(message.setup.decoder);
        break;
      case 'tracks':
        this.#takeNewest(message.tracks);
        this.#known = message;
        break;
      case 'generation':
        this.#composer.setBusy(message.generation !== null);
        this.#tracks.setBusy(message.generation !== null);
        this.#generation.show(message.generation, Date.now());
        this.#trouble.show(message.trouble);
        return;
    }
    this.#showTracks();
  }

  /** The player keeps its track and moves to a new one only if nothing is playing. */
  #takeNewest(tracks: readonly MusicTrackView[]): void {
    const wanted = this.#player.trackId ?? this.#remembered.trackId;
    const current = tracks.find(({ id }) => id === wanted);
    const [newest] = tracks;
    const isNew =
      this.#known !== undefined &&
      newest !== undefined &&
      !this.#known.tracks.some(({ id }) => id === newest.id);
    const taken = current && (!isNew || this.#player.isPlaying) ? current : newest;
    this.#player.take(taken);
    if (taken) this.#remember({ trackId: taken.id });
    if (isNew) setText(this.#ended, t`“${newest.title}” is ready.`);
  }

  #play(track: MusicTrackView): void {
    this.#player.take(track);
    this.#remember({ trackId: track.id });
    void this.#player.toggle();
    this.#mark();
  }

  #showTracks(): void {
    const [setup, known] = [this.#setup, this.#known];
    if (!setup || !known) return;
    this.#tracks.show(known.tracks, known.undo, (seconds) => musicPriceText(seconds, setup));
    this.#mark();
  }

  #mark(): void {
    this.#tracks.mark(this.#player.trackId, this.#player.isPlaying);
  }

  #remember(change: Partial<Remembered>): void {
    this.#remembered = { ...this.#remembered, ...change };
    this.#host.remember(this.#remembered);
  }
}

function readRemembered({
  prompt,
  seconds,
  volume,
  loop,
  trackId,
}: Partial<Record<keyof Remembered, unknown>>): Remembered {
  return {
    prompt: typeof prompt === 'string' ? prompt : '',
    seconds: typeof seconds === 'number' ? seconds : 30,
    volume: typeof volume === 'number' ? Math.min(1, Math.max(0, volume)) : 0.8,
    loop: loop === true,
    trackId: typeof trackId === 'string' ? trackId : undefined,
  };
}

interface TroubleActions {
  readonly keep: () => void;
  readonly dismiss: () => void;
  readonly signIn: () => void;
  readonly again: (prompt: string, seconds: number) => void;
}

/** Why the last generation failed, what to do, and any received music worth keeping. */
class TroubleView {
  readonly root = element('section', { class: 'notice', role: 'alert' });

  constructor(private readonly actions: TroubleActions) {
    this.root.hidden = true;
  }

  /** Focuses its first button; false if there is nothing to show. */
  focus(): boolean {
    this.root.querySelector('button')?.focus();
    return this.root.contains(document.activeElement);
  }

  show(trouble: MusicTrouble | null): void {
    const fingerprint = JSON.stringify(trouble);
    if (this.root.dataset.fingerprint === fingerprint) return;
    this.root.dataset.fingerprint = fingerprint;
    this.root.hidden = trouble === null;
    this.root.replaceChildren();
    if (!trouble) return;
    const { unsaved, prompt, seconds, canSignIn } = trouble;
    const buttons = element('div', { class: 'buttons' });
    if (unsaved)
      buttons.append(
        textButton(unsaved.whole ? t`Save Again` : t`Keep Partial Track`, this.actions.keep, 'primary'),
      );
    if (canSignIn) buttons.append(textButton(t`Sign In`, this.actions.signIn, 'primary'));
    buttons.append(
      textButton(t`Edit and Try Again`, () => this.actions.again(prompt, seconds), 'secondary'),
      textButton(unsaved ? t`Discard` : t`Dismiss`, this.actions.dismiss, 'secondary'),
    );
    this.root.append(
      element('strong', {}, trouble.message),
      element('p', {}, trouble.nextAction),
      unsaved ? element('p', {}, unsavedText(unsaved)) : '',
      buttons,
    );
  }
}

function unsavedText({ seconds, whole }: NonNullable<MusicTrouble['unsaved']>): string {
  return whole
    ? t`All ${spokenTime(seconds)} arrived and can still be saved.`
    : t`${spokenTime(seconds)} had arrived by then and can be kept.`;
}

new MusicPanel().start();
