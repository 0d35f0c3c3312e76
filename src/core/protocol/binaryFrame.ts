import type { ServerEvent } from './serverEvent';

export declare function parseSocketFrame(bytes: Uint8Array): ServerEvent | undefined;
