/** Invalid arguments; the message says what is wrong in one sentence. */
export class UsageError extends Error {}
