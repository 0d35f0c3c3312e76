import { sayEvents } from './helpers/eventServer';
import { serveHugeFile } from './helpers/hugeFileServer';
import { tellIdleDelay } from './helpers/idleDelay';

/** What `--helper NAME` runs; each notifies its parent when it is ready. */
export const helpers: Readonly<Record<string, () => Promise<void>>> = {
  events: sayEvents,
  hugeFile: serveHugeFile,
  idleDelay: tellIdleDelay,
};
