interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The other end of a panel: sends typed messages, and keeps a small state over reloads of the window. */
export class Host<Sent, State extends object> {
  readonly #api = acquireVsCodeApi();

  send(message: Sent): void {
    this.#api.postMessage(message);
  }

  /** What an earlier life of this panel remembered; its fields are unchecked and may be missing. */
  get state(): Partial<State> {
    const state = this.#api.getState();
    return typeof state === 'object' && state !== null ? state : {};
  }

  set state(state: State) {
    this.#api.setState(state);
  }
}
