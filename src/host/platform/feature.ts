import type * as vscode from 'vscode';

/**
 * A feature. `register` only connects things: no I/O, no waiting, no loading of heavy parts. What it creates is owned
 * by `context.subscriptions`.
 */
export interface Feature {
  register(context: vscode.ExtensionContext): void;
}

/** A part that its owner disposes, whoever created it. */
export interface Owned {
  dispose(): unknown;
}
