import { nodeTable } from './nodeTable';
import type { SandboxNode } from './sandboxNode';
import {
  adjustVolume,
  concatSounds,
  decodeSound,
  emptySound,
  emptySoundLatent,
  encodeSound,
  joinChannels,
  loadSound,
  mergeSounds,
  previewSound,
  saveSound,
  splitChannels,
  trimSound,
} from './soundEdits';
import { pictureFile } from './inputFiles';

/** Sound. */
export const audioNodes: readonly SandboxNode[] = [
  ...nodeTable({ module: 'comfy_extras.nodes_audio', category: 'model/latent' }, [
    [
      `EmptyLatentAudio(seconds: FLOAT=47.6 1..1000 /0.1, batch_size: INT=1 1..4096) -> LATENT`,
      emptySoundLatent,
    ],
    [`VAEEncodeAudio(audio: AUDIO, vae: VAE) -> LATENT`, encodeSound],
    [`VAEDecodeAudio(samples: LATENT, vae: VAE) -> AUDIO`, decodeSound],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_audio', category: 'audio' }, [
    [
      `SaveAudio(audio: AUDIO, filename_prefix: STRING="audio/ComfyUI") -> audio: AUDIO`,
      saveSound,
      { about: 'Saves sound as FLAC in the output folder.', output: true },
    ],
    [`LoadAudio(audio: COMBO@* audio_upload) -> AUDIO`, loadSound, { ...pictureFile('audio') }],
    [
      `PreviewAudio(audio: AUDIO) -> audio: AUDIO`,
      previewSound,
      { about: 'Plays sound without keeping it.', output: true },
    ],
    [
      `TrimAudioDuration(
      audio: AUDIO, start_index: FLOAT=0 -18446744073709551615..18446744073709551615 /0.01,
      duration: FLOAT=60 0.. /0.01
    ) -> AUDIO`,
      trimSound,
    ],
    [`SplitAudioChannels(audio: AUDIO) -> left: AUDIO, right: AUDIO`, splitChannels],
    [`JoinAudioChannels(audio_left: AUDIO, audio_right: AUDIO) -> audio: AUDIO`, joinChannels],
    [`AudioConcat(audio1: AUDIO, audio2: AUDIO, direction: COMBO[after|before]) -> AUDIO`, concatSounds],
    [
      `AudioMerge(
      audio1: AUDIO, audio2: AUDIO, merge_method: COMBO[add|mean|subtract|multiply]
    ) -> AUDIO`,
      mergeSounds,
    ],
    [`AudioAdjustVolume(audio: AUDIO, volume: INT=1 -100..100) -> AUDIO`, adjustVolume],
    [
      `EmptyAudio(
      duration: FLOAT=60 0..18446744073709551615 /0.01, sample_rate: INT=44100 1..192000,
      channels: INT=2 1..2
    ) -> AUDIO`,
      emptySound,
      { about: 'Silence of a given length.' },
    ],
    [
      `AudioEqualizer3Band(
      audio: AUDIO, low_gain_dB: FLOAT=0 -24..24 /0.1, low_freq: INT=100 20..500,
      mid_gain_dB: FLOAT=0 -24..24 /0.1, mid_freq: INT=1000 200..4000,
      mid_q: FLOAT=0.707 0.1..10 /0.1, high_gain_dB: FLOAT=0 -24..24 /0.1,
      high_freq: INT=5000 1000..15000
    ) -> AUDIO`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_audio', category: 'model/conditioning/stable audio' }, [
    [
      `ConditioningStableAudio(
      positive: CONDITIONING, negative: CONDITIONING, seconds_start: FLOAT=0 0..1000 /0.1,
      seconds_total: FLOAT=47 0..1000 /0.1
    ) -> positive: CONDITIONING, negative: CONDITIONING`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_lt_audio', category: 'model/latent/ltxv' }, [
    [`LTXVAudioVAEEncode(audio: AUDIO, audio_vae: VAE) -> Audio Latent: LATENT`, encodeSound],
    [`LTXVAudioVAEDecode(samples: LATENT, audio_vae: VAE) -> Audio: AUDIO`, decodeSound],
    [
      `LTXVEmptyLatentAudio(
      frames_number: INT=97 1..1000, frame_rate: FLOAT,INT=25 1..1000 /0.01,
      batch_size: INT=1 1..4096, audio_vae: VAE
    ) -> Latent: LATENT`,
      emptySoundLatent,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_ace', category: 'model/conditioning/ace' }, [
    [
      `TextEncodeAceStepAudio(
      clip: CLIP, tags: STRING multiline dynamicPrompts, lyrics: STRING multiline dynamicPrompts,
      lyrics_strength: FLOAT=1 0..10 /0.01
    ) -> CONDITIONING`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_ace', category: 'model/latent/ace' }, [
    [
      `EmptyAceStepLatentAudio(seconds: FLOAT=120 1..1000 /0.1, batch_size: INT=1 1..4096) -> LATENT`,
      emptySoundLatent,
    ],
  ]),
];
