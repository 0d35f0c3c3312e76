export declare function redact(text: string, secrets?: readonly string[]): string;
