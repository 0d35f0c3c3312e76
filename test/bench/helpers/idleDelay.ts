import { once } from 'node:events';
import { watchLoop } from '../loopDelay';
import { tellParent } from './tellParent';

/** A process that does nothing, and how long its event loop was held up all the same: that is the machine. */
export async function tellIdleDelay(): Promise<void> {
  const stop = watchLoop();
  tellParent('watching');
  await once(process, 'message');
  tellParent(stop());
}
