import { getAudioDecoder } from 'audio-file-decoder';
import type { DecodeRequest, DecodeAnswer } from './decoderMessages';
import { findTrackPeaks } from './peaks';
import { encodeWav } from './wavBytes';

/**
 * Decodes a file to PCM with FFmpeg as WebAssembly, off the panel's thread. This script and the `.wasm` beside it are
 * the LGPL part of the extension: separate files, so that anyone can replace them.
 */
async function decode({ wasm, file, seconds }: DecodeRequest): Promise<DecodeAnswer> {
  const decoder = await getAudioDecoder(wasm, file);
  try {
    const { sampleRate, channelCount } = decoder;
    const samples = decoder.decodeAudioData(0, -1, { multiChannel: true });
    // The decoder pads the end.
    const known = seconds === undefined ? samples.length : Math.round(seconds * sampleRate) * channelCount;
    const sound = samples.subarray(0, Math.min(samples.length, known));
    return {
      ok: true,
      wav: encodeWav(sound, sampleRate, channelCount),
      peaks: findTrackPeaks(sound),
      seconds: sound.length / channelCount / sampleRate,
    };
  } finally {
    decoder.dispose();
  }
}

self.addEventListener('message', ({ data }: MessageEvent<DecodeRequest>) => {
  decode(data).then(
    (answer) => self.postMessage(answer, { transfer: answer.ok ? [answer.wav] : [] }),
    (error: unknown) => {
      const problem = error instanceof Error ? error.message : String(error);
      self.postMessage({ ok: false, problem } satisfies DecodeAnswer);
    },
  );
});
