import { encodeFlac } from '../media/flac';
import { playTune } from '../media/tone';
import { decodeWav } from '../media/wavFile';
import { hashText } from '../drawing/random';
import { readFile } from './inputFiles';
import type { NodeContext, NodeResult } from './sandboxNode';
import { numbered, savePlace, temporarySuffix } from './savers';
import { Latent, latentIn, numberIn, Sound, soundIn } from './nodeValues';
import type { Inputs } from './nodeValues';

const usualRate = 44_100;
/** Longer music is cut: nobody listens to minutes of the sandbox's. */
const mostSeconds = 60;

export function emptySound(inputs: Inputs): NodeResult {
  const rate = numberIn(inputs, 'sample_rate');
  const length = Math.round(Math.min(mostSeconds * 10, numberIn(inputs, 'duration')) * rate);
  const silence = (): Float32Array => new Float32Array(length);
  return { outputs: [new Sound(rate, inputs['channels'] === 1 ? [silence()] : [silence(), silence()])] };
}

export function emptySoundLatent(inputs: Inputs): NodeResult {
  const seconds =
    inputs['seconds'] === undefined
      ? numberIn(inputs, 'frames_number') / numberIn(inputs, 'frame_rate')
      : numberIn(inputs, 'seconds');
  return { outputs: [new Latent({ width: 8, height: 8, batch: 1 }, { sound: { seconds } })] };
}

export function encodeSound(inputs: Inputs): NodeResult {
  const sound = soundIn(inputs, 'audio');
  return {
    outputs: [
      new Latent({ width: 8, height: 8, batch: 1 }, { sound: { seconds: sound.seconds, recorded: sound } }),
    ],
  };
}

export function decodeSound(inputs: Inputs): NodeResult {
  const { sound } = latentIn(inputs, 'samples').content;
  if (sound?.recorded !== undefined) return { outputs: [sound.recorded] };
  const seconds = Math.min(mostSeconds, sound?.seconds ?? 1);
  const channels = playTune(sound?.tune ?? 0, seconds, usualRate);
  return { outputs: [new Sound(usualRate, channels)] };
}

export function saveSound(inputs: Inputs, context: NodeContext): NodeResult {
  return savedSound(soundIn(inputs, 'audio'), String(inputs['filename_prefix']), 'output', context);
}

export function previewSound(inputs: Inputs, context: NodeContext): NodeResult {
  return savedSound(soundIn(inputs, 'audio'), `ComfyUI${temporarySuffix(context)}`, 'temp', context);
}

function savedSound(sound: Sound, prefix: string, type: 'output' | 'temp', context: NodeContext): NodeResult {
  const place = savePlace(prefix, type, context.files, { width: 0, height: 0 });
  const file = {
    filename: `${place.name}_${numbered(place.counter)}.flac`,
    subfolder: place.subfolder,
    type,
  };
  context.files.write(file, encodeFlac(sound.channels, sound.rate));
  return { outputs: [sound], ui: { audio: [file] } };
}

/** Formats that the sandbox cannot read play a tune of their own. */
export function loadSound(inputs: Inputs, context: NodeContext): NodeResult {
  const name = String(inputs['audio']);
  const decoded = decodeWav(readFile(name, context.files));
  if (decoded !== undefined) return { outputs: [new Sound(decoded.rate, decoded.channels)] };
  return { outputs: [new Sound(usualRate, playTune(hashText(name), 5, usualRate))] };
}

function changed(sound: Sound, change: (channel: Float32Array) => Float32Array): Sound {
  const [first, ...rest] = sound.channels;
  return new Sound(sound.rate, [change(first), ...rest.map(change)]);
}

export function trimSound(inputs: Inputs): NodeResult {
  const sound = soundIn(inputs, 'audio');
  const wanted = numberIn(inputs, 'start_index');
  const start = Math.max(0, Math.round((wanted < 0 ? sound.seconds + wanted : wanted) * sound.rate));
  const end = start + Math.round(numberIn(inputs, 'duration') * sound.rate);
  return { outputs: [changed(sound, (channel) => channel.slice(start, end))] };
}

export function splitChannels(inputs: Inputs): NodeResult {
  const { rate, channels } = soundIn(inputs, 'audio');
  const [left, right = left] = channels;
  return { outputs: [new Sound(rate, [left]), new Sound(rate, [right])] };
}

export function joinChannels(inputs: Inputs): NodeResult {
  const left = soundIn(inputs, 'audio_left');
  return { outputs: [new Sound(left.rate, [left.channels[0], soundIn(inputs, 'audio_right').channels[0]])] };
}

/** Two sounds as one: channel by channel, the missing ones being the first. */
function combined(
  first: Sound,
  second: Sound,
  combine: (a: Float32Array, b: Float32Array) => Float32Array,
): Sound {
  const count = Math.max(first.channels.length, second.channels.length);
  const channelOf = (sound: Sound, index: number): Float32Array => sound.channels[index] ?? sound.channels[0];
  const channel = (index: number): Float32Array => combine(channelOf(first, index), channelOf(second, index));
  return new Sound(first.rate, [
    channel(0),
    ...Array.from({ length: count - 1 }, (_, index) => channel(index + 1)),
  ]);
}

export function concatSounds(inputs: Inputs): NodeResult {
  const sounds = [soundIn(inputs, 'audio1'), soundIn(inputs, 'audio2')] as const;
  const [first, second] = inputs['direction'] === 'before' ? [sounds[1], sounds[0]] : sounds;
  return { outputs: [combined(first, second, joined)] };
}

function joined(first: Float32Array, second: Float32Array): Float32Array {
  const whole = new Float32Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

export function mergeSounds(inputs: Inputs): NodeResult {
  const method = String(inputs['merge_method']);
  const merge = (a: number, b: number): number => {
    if (method === 'mean') return (a + b) / 2;
    if (method === 'subtract') return a - b;
    return method === 'multiply' ? a * b : a + b;
  };
  const both = combined(soundIn(inputs, 'audio1'), soundIn(inputs, 'audio2'), (first, second) =>
    first.map((value, at) => merge(value, second[at] ?? 0)),
  );
  return { outputs: [both] };
}

/** In decibels. */
export function adjustVolume(inputs: Inputs): NodeResult {
  const factor = 10 ** (numberIn(inputs, 'volume') / 20);
  return {
    outputs: [changed(soundIn(inputs, 'audio'), (channel) => channel.map((value) => value * factor))],
  };
}
