import type { HttpStack } from '../core/client/httpStack';

export declare function undiciStack(): HttpStack & { close(): Promise<void> };
