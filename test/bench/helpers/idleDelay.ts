import { once } from 'node:events';
import { watchLoop } from '../loopDelay';
import { tellParent } from './tellParent';

/** Measures the event loop delay of an idle process: the machine's share. */
export async function tellIdleDelay(): Promise<void> {
  const stop = watchLoop();
  tellParent('watching');
  await once(process, 'message');
  tellParent(stop());
}
