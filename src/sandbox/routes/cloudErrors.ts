/** An error answer of the cloud: `{code, message}` (protocol 2). */
export class CloudRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
