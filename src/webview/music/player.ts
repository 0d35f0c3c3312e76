import type { MusicDecoder, MusicTrackView } from '../contract/music';
import { element, iconButton, setText } from '../ui/element';
import { icon } from '../ui/icon';
import { setSlider, slider } from '../ui/slider';
import { loadSound } from './sound';
import { Waveform } from './waveform';
import { clockTime } from './words';
import { t } from '../../core/safety/localize';

export interface PlayerOptions {
  readonly volume: number;
  readonly loop: boolean;
  readonly onPeaks: (id: string, peaks: readonly number[]) => void;
  readonly onChange: (state: { readonly volume: number; readonly loop: boolean }) => void;
  readonly onState: () => void;
}

/** Plays one track: waveform, time, volume, loop. */
export class Player {
  readonly root: HTMLElement;
  readonly #audio = element('audio', {});
  readonly #title = element('h2', {});
  readonly #time = element('span', { class: 'time' });
  readonly #problem = element('p', { class: 'problem', role: 'alert' });
  readonly #play = iconButton(icon('play'), t`Play`, () => void this.toggle());
  readonly #loop = iconButton(icon('loop'), t`Loop`, () => this.#setLoop(!this.#audio.loop));
  readonly #volume = slider({ class: 'volume', min: '0', max: '100', 'aria-label': t`Volume` });
  readonly #wave = new Waveform((seconds) => this.#seek(seconds));
  #track: MusicTrackView | undefined;
  #decoder: MusicDecoder | undefined;
  #loaded: { readonly id: string; readonly url: string } | undefined;
  #loading: { readonly id: string; readonly done: Promise<boolean> } | undefined;

  constructor(private readonly options: PlayerOptions) {
    this.#play.classList.add('play');
    this.root = element(
      'section',
      { class: 'player', 'aria-label': t`Player` },
      this.#title,
      this.#wave.root,
      element(
        'div',
        { class: 'controls', role: 'group', 'aria-label': t`Playback` },
        this.#play,
        this.#time,
        element('span', { class: 'gap' }),
        this.#loop,
        element('span', { class: 'volume-icon' }, icon('volume')),
        this.#volume,
      ),
      this.#problem,
    );
    this.root.hidden = true;
    this.#problem.hidden = true;
    this.#audio.volume = options.volume;
    setSlider(this.#volume, Math.round(options.volume * 100));
    this.#setLoop(options.loop);
    this.#volume.addEventListener('input', () => {
      this.#audio.volume = Number(this.#volume.value) / 100;
      this.#tellChange();
    });
    for (const event of ['play', 'pause', 'ended'] as const)
      this.#audio.addEventListener(event, () => this.#showState());
    this.#audio.addEventListener('timeupdate', () => this.#showTime());
    this.#audio.addEventListener('seeked', () => this.#showTime());
  }

  get trackId(): string | undefined {
    return this.#track?.id;
  }

  get isPlaying(): boolean {
    return !this.#audio.paused;
  }

  setDecoder(decoder: MusicDecoder): void {
    this.#decoder = decoder;
  }

  /** Selects a track without playing it; undefined: no track is left. */
  take(track: MusicTrackView | undefined): void {
    const isSame = track?.id === this.#track?.id;
    this.#track = track;
    this.root.hidden = track === undefined;
    if (isSame || !track) {
      if (!track) this.#unload();
      return;
    }
    this.#unload();
    setText(this.#title, track.title);
    this.#wave.show(track.peaks ?? [], track.seconds ?? track.asked);
    this.#say('');
    this.#showTime();
    this.#showState();
    // A track that was played before has its waveform; any other is measured now.
    if (track.peaks === undefined) void this.#load();
  }

  async toggle(): Promise<void> {
    if (this.isPlaying) this.#audio.pause();
    else if (await this.#load()) await this.#audio.play().catch((error: unknown) => this.#refused(error));
  }

  #load(): Promise<boolean> {
    const track = this.#track;
    if (!track || !this.#decoder) return Promise.resolve(false);
    if (this.#loaded?.id === track.id) return Promise.resolve(true);
    if (this.#loading?.id === track.id) return this.#loading.done;
    const done = this.#fetch(track, this.#decoder).finally(() => (this.#loading = undefined));
    this.#loading = { id: track.id, done };
    return done;
  }

  async #fetch(track: MusicTrackView, decoder: MusicDecoder): Promise<boolean> {
    try {
      const sound = await loadSound(track.source, track.seconds, track.peaks, decoder);
      if (track.id !== this.#track?.id) {
        URL.revokeObjectURL(sound.url);
        return false;
      }
      this.#loaded = { id: track.id, url: sound.url };
      this.#audio.src = sound.url;
      this.root.dataset.decodedBy = sound.decodedBy;
      this.#wave.show(sound.peaks, track.seconds ?? track.asked);
      if (track.peaks === undefined) this.options.onPeaks(track.id, sound.peaks);
      this.#say('');
      return true;
    } catch (error) {
      if (track.id === this.#track?.id) this.#say(error instanceof Error ? error.message : unplayable());
      return false;
    }
  }

  #unload(): void {
    this.#audio.pause();
    this.#audio.removeAttribute('src');
    if (this.#loaded) URL.revokeObjectURL(this.#loaded.url);
    this.#loaded = undefined;
    delete this.root.dataset.decodedBy;
  }

  #seek(seconds: number): void {
    void this.#load().then((can) => {
      if (!can) return;
      this.#audio.currentTime = seconds;
      this.#showTime();
    });
  }

  /** The browser blocks autoplay, or the track changed in the meantime. */
  #refused(error: unknown): void {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    this.#say(unplayable());
  }

  #setLoop(loop: boolean): void {
    this.#audio.loop = loop;
    this.#loop.setAttribute('aria-pressed', String(loop));
    this.#tellChange();
  }

  #tellChange(): void {
    this.options.onChange({ volume: this.#audio.volume, loop: this.#audio.loop });
  }

  #say(problem: string): void {
    setText(this.#problem, problem);
    this.#problem.hidden = problem === '';
  }

  #showTime(): void {
    const track = this.#track;
    if (!track) return;
    const position = this.#loaded ? this.#audio.currentTime : 0;
    setText(this.#time, `${clockTime(position)} / ${clockTime(Math.round(track.seconds ?? track.asked))}`);
    this.#wave.move(position);
  }

  #showState(): void {
    const label = this.isPlaying ? t`Pause` : t`Play`;
    if (this.#play.title !== label) {
      this.#play.title = label;
      this.#play.setAttribute('aria-label', label);
      this.#play.replaceChildren(icon(this.isPlaying ? 'pause' : 'play'));
    }
    this.options.onState();
  }
}

function unplayable(): string {
  return t`This track can't be played here. Reveal it and open it with another app.`;
}
