import type * as vscode from 'vscode';

/** `register` only connects things and reads nothing. `context.subscriptions` owns what it creates. */
export interface Feature {
  register(context: vscode.ExtensionContext): void;
}

/** A part that its owner disposes, whoever created it. */
export interface Owned {
  dispose(): unknown;
}

/** Disposes its parts with itself. */
export abstract class Owner {
  readonly #owned: Owned[] = [];

  protected own(...owned: readonly Owned[]): void {
    this.#owned.push(...owned);
  }

  dispose(): void {
    for (const each of this.#owned) each.dispose();
  }
}
