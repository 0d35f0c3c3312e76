export interface ServerAddress {
  readonly url: string;
}

export declare function originOf(url: string): string;
export declare function isLoopback(url: string): boolean;
export declare function mayCarryCredential(url: string): boolean;
/** Address of the event socket, token included when there is one. Never to be logged. */
export declare function socketAddress(baseUrl: string, clientId: string, token?: string): string;
