import type { NodeBehaviour } from './sandboxNode';
import { imagesIn, numberIn, Video } from './nodeValues';
import { saveVideo } from './savers';

/** Videos, without sound. */
export const videoNodes: Readonly<Record<string, NodeBehaviour>> = {
  CreateVideo: {
    run: (inputs) => ({ outputs: [new Video(imagesIn(inputs, 'images'), numberIn(inputs, 'fps'))] }),
  },
  SaveVideo: { run: saveVideo, output: true },
};
