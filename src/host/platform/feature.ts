import type * as vscode from 'vscode';

/**
 * One thing that the user sees. `register` only hooks things up: no I/O, no waiting, no loading of heavy parts.
 * What it makes is owned by `context.subscriptions`.
 */
export interface Feature {
  register(context: vscode.ExtensionContext): void;
}

/** A part with an owner who lets it go, whoever made it. */
export interface Owned {
  dispose(): unknown;
}
