import * as vscode from 'vscode';
import type { Secrets } from '../../core/safety/secrets';

/** The log scrubs secrets itself, so that a careless caller can't leak one. */
export class Log implements vscode.Disposable {
  #channel: vscode.LogOutputChannel | undefined;

  constructor(private readonly secrets: Secrets) {}

  info(message: string): void {
    this.#open().info(this.#scrub(message));
  }

  warn(message: string): void {
    this.#open().warn(this.#scrub(message));
  }

  debug(message: string): void {
    this.#open().debug(this.#scrub(message));
  }

  error(what: string, error: unknown): void {
    this.#open().error(this.#scrub(`${what}: ${describeCauses(error)}`));
  }

  show(): void {
    this.#open().show(true);
  }

  dispose(): void {
    this.#channel?.dispose();
  }

  #open(): vscode.LogOutputChannel {
    this.#channel ??= vscode.window.createOutputChannel('Comfy Deck', { log: true });
    return this.#channel;
  }

  #scrub(text: string): string {
    return this.secrets.scrub(text);
  }
}

function describeCauses(error: unknown): string {
  const parts: string[] = [];
  let current = error;
  for (let depth = 0; depth < 5 && current !== undefined; depth++) {
    if (!(current instanceof Error)) {
      parts.push(typeof current === 'string' ? current : 'unknown reason');
      break;
    }
    parts.push(depth === 0 ? (current.stack ?? current.message) : current.message);
    current = current.cause;
  }
  return parts.join('\n  because: ');
}
