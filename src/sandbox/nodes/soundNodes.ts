import { hashText } from '../drawing/random';
import { playTune } from '../media/tone';
import { fingerprintOf, pictureFile, readFile } from './inputFiles';
import type { NodeBehaviour, NodeContext, NodeResult } from './sandboxNode';
import { type Inputs, Latent, latentIn, numberIn, Sound, soundIn } from './nodeValues';
import { previewSound, saveSound } from './savers';

const usualRate = 44_100;
/** Longer music is cut: nobody listens to the sandbox for minutes. */
const mostSeconds = 60;
const latentSize = { width: 8, height: 8, batch: 1 };

function emptySound(inputs: Inputs): NodeResult {
  const rate = numberIn(inputs, 'sample_rate');
  const length = Math.round(Math.min(mostSeconds * 10, numberIn(inputs, 'duration')) * rate);
  const silence = (): Float32Array => new Float32Array(length);
  return { outputs: [new Sound(rate, inputs['channels'] === 1 ? [silence()] : [silence(), silence()])] };
}

function emptyLatent(inputs: Inputs): NodeResult {
  const seconds =
    inputs['seconds'] === undefined
      ? numberIn(inputs, 'frames_number') / numberIn(inputs, 'frame_rate')
      : numberIn(inputs, 'seconds');
  return { outputs: [new Latent(latentSize, { sound: { seconds } })] };
}

function encode(inputs: Inputs): NodeResult {
  const recorded = soundIn(inputs, 'audio');
  return { outputs: [new Latent(latentSize, { sound: { seconds: recorded.seconds, recorded } })] };
}

function decode(inputs: Inputs): NodeResult {
  const { sound } = latentIn(inputs, 'samples').content;
  if (sound?.recorded !== undefined) return { outputs: [sound.recorded] };
  const seconds = Math.min(mostSeconds, sound?.seconds ?? 1);
  return { outputs: [new Sound(usualRate, playTune(sound?.tune ?? 0, seconds, usualRate))] };
}

/** The sandbox cannot decode sound: it plays a different tune for each file. */
function loadSound(inputs: Inputs, context: NodeContext): NodeResult {
  const seed = hashText(fingerprintOf(readFile(String(inputs['audio']), context.files)));
  return { outputs: [new Sound(usualRate, playTune(seed, 5, usualRate))] };
}

/** Sound: loaded, made and saved. */
export const soundNodes: Readonly<Record<string, NodeBehaviour>> = {
  LoadAudio: { run: loadSound, ...pictureFile('audio') },
  SaveAudio: { run: saveSound, output: true },
  PreviewAudio: { run: previewSound, output: true },
  EmptyAudio: { run: emptySound },
  EmptyLatentAudio: { run: emptyLatent },
  EmptyAceStepLatentAudio: { run: emptyLatent },
  LTXVEmptyLatentAudio: { run: emptyLatent },
  VAEEncodeAudio: { run: encode },
  LTXVAudioVAEEncode: { run: encode },
  VAEDecodeAudio: { run: decode },
  LTXVAudioVAEDecode: { run: decode },
};
