import type { NodeBehaviour, NodeResult } from './sandboxNode';
import { Images, imagesIn, type Inputs, numberIn, Video, videoIn } from './nodeValues';
import { saveVideo } from './savers';

const wholeVideo = { trim: { start_time: 0, duration: 0 } };

/** A duration of 0 goes on to the end. */
function trimVideo(inputs: Inputs): NodeResult {
  const { images, framesPerSecond } = videoIn(inputs, 'video');
  const { trim } = inputs['trim'] as { readonly trim?: { start_time?: number; duration?: number } };
  const first = Math.round((trim?.start_time ?? 0) * framesPerSecond);
  const count = Math.round((trim?.duration ?? 0) * framesPerSecond);
  const kept = images.pictures.slice(first, count === 0 ? undefined : first + count);
  return { outputs: [new Video(kept.length === 0 ? images : Images.of(kept), framesPerSecond)] };
}

/** Videos, without sound. */
export const videoNodes: Readonly<Record<string, NodeBehaviour>> = {
  CreateVideo: {
    run: (inputs) => ({ outputs: [new Video(imagesIn(inputs, 'images'), numberIn(inputs, 'fps'))] }),
  },
  VideoTrim: {
    run: trimVideo,
    specs: { trim: ['VIDEO_EDIT', { default: wholeVideo, socketless: true, features: ['trim'] }] },
  },
  SaveVideo: { run: saveVideo, output: true },
};
