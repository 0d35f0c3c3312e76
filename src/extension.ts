import './host/platform/displayLanguage';
import * as vscode from 'vscode';
import { buildFeatures } from './host/features';
import { buildServices, type Services } from './host/services';

let services: Services | undefined;

/** Hooks everything up and returns: no file is read, no server asked, before somebody uses something. */
export function activate(context: vscode.ExtensionContext): Services | undefined {
  services = buildServices(context);
  for (const feature of buildFeatures(services, context)) feature.register(context);
  // Tests look at the parts; nobody else may.
  return context.extensionMode === vscode.ExtensionMode.Test ? services : undefined;
}

export async function deactivate(): Promise<void> {
  await services?.close();
}
