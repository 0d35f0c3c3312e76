import { hashText } from '../drawing/random';
import { fingerprintOf, pictureFile, readFile } from './inputFiles';
import type { NodeBehaviour, NodeContext, NodeResult } from './sandboxNode';
import { type Inputs, Latent, latentIn, numberIn, Sound, soundIn } from './nodeValues';
import { previewSound, saveSound } from './savers';

const latentSize = { width: 8, height: 8, batch: 1 };

function emptySound(inputs: Inputs): NodeResult {
  return { outputs: [new Sound(numberIn(inputs, 'duration'), 0)] };
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
  return { outputs: [new Sound(sound?.seconds ?? 1, sound?.tune ?? 0)] };
}

/** The sandbox cannot decode sound: only what it says of it differs by file. */
function loadSound(inputs: Inputs, context: NodeContext): NodeResult {
  const seed = hashText(fingerprintOf(readFile(String(inputs['audio']), context.files)));
  return { outputs: [new Sound(5, seed)] };
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
