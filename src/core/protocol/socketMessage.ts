import type { ServerEvent } from './serverEvent';

export declare function parseSocketText(text: string): ServerEvent | undefined;
