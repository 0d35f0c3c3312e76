import type { MusicDecoder, MusicTrackView } from '../contract/music';
import { element, iconButton, setText } from '../ui/element';
import { icon } from '../ui/icon';
import { setSlider, slider } from '../ui/slider';
import { Waveform } from './waveform';
import { clockTime } from './words';
import { t } from '../../core/safety/localize';
import type { DecodeAnswer, DecodeRequest } from './decoderMessages';
import { findTrackPeaks } from './peaks';

/** A track that is ready to play. */
interface ReadyTrack {
  /** A blob address; revoke it when it is no longer needed. */
  readonly url: string;
  readonly peaks: readonly number[];
  /** What decodes: this VS Code, or the decoder of the extension. */
  readonly decodedBy: 'browser' | 'decoder';
}

const aac = 'audio/mp4; codecs="mp4a.40.2"';
/** How long this VS Code has to prove that it can play a file (ms). */
const patience = 8_000;

/** Some builds of VS Code have no AAC, and some of those claim to have it: the first real attempt decides. */
let browserPlaysAac = document.createElement('audio').canPlayType(aac) !== '';

/**
 * Fetches a file and makes it playable: unchanged if this VS Code plays AAC, else decoded to PCM by a worker that is
 * loaded only then.
 * @throws Error with a message for the user
 */
async function loadSound(
  source: string,
  seconds: number | undefined,
  known: readonly number[] | undefined,
  decoder: MusicDecoder,
): Promise<ReadyTrack> {
  const file = await fetchBytes(source, t`This file can't be read. It may have been moved or deleted.`);
  if (browserPlaysAac) {
    const url = URL.createObjectURL(new Blob([file], { type: 'audio/mp4' }));
    const peaks = (await plays(url)) ? (known ?? (await browserPeaks(file))) : undefined;
    if (peaks) return { url, peaks, decodedBy: 'browser' };
    URL.revokeObjectURL(url);
  }
  const sound = await decodeInWorker(file, seconds, decoder);
  // Only now is it clear that the file was not at fault.
  browserPlaysAac = false;
  return sound;
}

/** Whether the browser manages to load something playable. */
async function plays(url: string): Promise<boolean> {
  const probe = document.createElement('audio');
  probe.preload = 'auto';
  const outcome = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), patience);
    const settle = (can: boolean) => () => {
      clearTimeout(timer);
      resolve(can);
    };
    probe.addEventListener('canplay', settle(true));
    probe.addEventListener('error', settle(false));
  });
  probe.src = url;
  const can = await outcome;
  probe.removeAttribute('src');
  probe.load();
  return can;
}

async function browserPeaks(file: ArrayBuffer): Promise<readonly number[] | undefined> {
  try {
    // The rate only determines how much memory the samples take.
    const context = new OfflineAudioContext(1, 1, 22_050);
    const sound = await context.decodeAudioData(file.slice(0));
    return findTrackPeaks(
      ...Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index)),
    );
  } catch {
    return undefined;
  }
}

/** One worker per file: its memory is freed when it ends. */
async function decodeInWorker(
  file: ArrayBuffer,
  seconds: number | undefined,
  addresses: MusicDecoder,
): Promise<ReadyTrack> {
  const missing = t`The extension's decoder can't be loaded.`;
  const [script, binary] = await Promise.all([
    fetchBytes(addresses.worker, missing),
    fetchBytes(addresses.wasm, missing),
  ]);
  // A worker's script must come from this page's own origin, so both become blobs.
  const scriptUrl = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const wasm = URL.createObjectURL(new Blob([binary], { type: 'application/wasm' }));
  const worker = new Worker(scriptUrl);
  try {
    const answer = await new Promise<DecodeAnswer>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<DecodeAnswer>) => resolve(data));
      worker.addEventListener('error', ({ message }) => reject(new Error(message)));
      worker.postMessage({ wasm, file, seconds } satisfies DecodeRequest, [file]);
    });
    if (!answer.ok) throw new Error(t`This file couldn't be decoded: ${answer.problem}`);
    const url = URL.createObjectURL(new Blob([answer.wav], { type: 'audio/wav' }));
    return { url, peaks: answer.peaks, decodedBy: 'decoder' };
  } finally {
    worker.terminate();
    URL.revokeObjectURL(scriptUrl);
    URL.revokeObjectURL(wasm);
  }
}

async function fetchBytes(address: string, problem: string): Promise<ArrayBuffer> {
  try {
    const answer = await fetch(address);
    if (answer.ok) return await answer.arrayBuffer();
  } catch {
    // Reported below.
  }
  throw new Error(problem);
}

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
  readonly #options: PlayerOptions;
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

  constructor(options: PlayerOptions) {
    this.#options = options;
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
      if (track.peaks === undefined) this.#options.onPeaks(track.id, sound.peaks);
      this.#say('');
      return true;
    } catch (error) {
      if (track.id === this.#track?.id)
        this.#say(error instanceof Error ? error.message : t`This track can't be played.`);
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
    this.#say(t`This track can't be played here. Reveal it and open it with another app.`);
  }

  #setLoop(loop: boolean): void {
    this.#audio.loop = loop;
    this.#loop.setAttribute('aria-pressed', String(loop));
    this.#tellChange();
  }

  #tellChange(): void {
    this.#options.onChange({ volume: this.#audio.volume, loop: this.#audio.loop });
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
    this.#options.onState();
  }
}
