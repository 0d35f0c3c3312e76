import { encodeMp4 } from '../media/encodeMp4';
import type { NodeContext, NodeResult } from './sandboxNode';
import { numbered, savePlace } from './savers';
import { imagesIn, numberIn, Video, videoIn } from './nodeValues';
import type { Inputs } from './nodeValues';

export function createVideo(inputs: Inputs): NodeResult {
  return { outputs: [new Video(imagesIn(inputs, 'images'), numberIn(inputs, 'fps'))] };
}

export function saveVideo(inputs: Inputs, context: NodeContext): NodeResult {
  const video = videoIn(inputs, 'video');
  const { images, framesPerSecond } = video;
  const place = savePlace(String(inputs['filename_prefix']), 'output', context.files, images.first);
  const filename = `${place.name}_${numbered(place.counter)}_.mp4`;
  const file = { filename, subfolder: place.subfolder, type: 'output' as const };
  context.files.write(file, encodeMp4(images.pictures, framesPerSecond));
  return { outputs: [video], ui: { images: [file], animated: [true] } };
}
