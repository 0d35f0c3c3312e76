interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** Receives messages from the extension host, and keeps a small state over reloads of the window. */
export interface Host<Sent, State extends object> {
  send(message: Sent): void;
  /** The state that this panel stored before a reload. Its fields are unchecked and may be missing. */
  remembered(): Partial<State>;
  remember(state: State): void;
}

/** Connects to the extension host; once per page, as VS Code allows. */
export function connectHost<Sent, State extends object>(): Host<Sent, State> {
  const api = acquireVsCodeApi();
  return {
    send: (message) => api.postMessage(message),
    remembered: () => {
      const state = api.getState();
      return typeof state === 'object' && state !== null ? state : {};
    },
    remember: (state) => api.setState(state),
  };
}
