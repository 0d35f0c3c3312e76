import type { HttpStack } from '../core/client/httpStack';

/** HTTP whose connections end with it. */
export interface ClosableStack extends HttpStack {
  close(): Promise<void>;
}

/** Opens it when a command needs it; who opens it closes it. */
export type OpensHttp = () => ClosableStack | Promise<ClosableStack>;
