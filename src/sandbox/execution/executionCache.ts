/** Results of earlier runs of one server, so that unchanged nodes are not run again. */
export class ExecutionCache {
  readonly entries = new Map<string, unknown>();
}
