import type { HttpStack } from '../core/client/httpStack';

/** HTTP connections that can be closed together. */
export interface ClosableStack extends HttpStack {
  close(): Promise<void>;
}

/** Opens them when a command needs them; the caller closes them. */
export type OpensHttp = () => ClosableStack | Promise<ClosableStack>;
