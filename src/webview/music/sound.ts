import type { MusicDecoder } from '../contract/music';
import type { DecodeAnswer, DecodeRequest } from './decoderMessages';
import { findTrackPeaks } from './peaks';
import { t } from '../../core/safety/localize';

/** A track that is ready to play. */
export interface ReadyTrack {
  /** A blob address; revoke it when it is no longer needed. */
  readonly url: string;
  readonly peaks: readonly number[];
  /** The decoder that was used: this VS Code's, or that of the extension. */
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
export async function loadSound(
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
  // Only now is it clear that the file was valid.
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
