import * as vscode from 'vscode';
import { settings, type SettingId } from './contributions';

/** A user's own server as in the setting: unchecked text from a file. */
export interface ServerEntry {
  readonly name: string;
  readonly url: string;
}

/** The type of every setting, as package.json declares it. */
interface SettingTypes extends Record<SettingId, unknown> {
  'comfyDeck.servers': readonly ServerEntry[];
  'comfyDeck.server': string;
  'comfyDeck.runOnSave': boolean;
  'comfyDeck.outputFolder': string;
  'comfyDeck.saveTemporaryOutputs': boolean;
  'comfyDeck.keepInputs': number;
  'comfyDeck.notifyWhenDone': 'always' | 'whenAway' | 'never';
  'comfyDeck.openPreviewOnRun': boolean;
  'comfyDeck.checks.severity': Readonly<Record<string, unknown>>;
  'comfyDeck.checks.suppress': readonly unknown[];
  'comfyDeck.codeLenses': boolean;
  'comfyDeck.registry': string;
  /** An address, or `sandbox`. */
  'comfyDeck.musicService': string;
}

/** The effective value, or undefined if it has another type than the default: settings files are edited by hand. */
export function readSetting<Id extends SettingId>(
  id: Id,
  scope?: vscode.ConfigurationScope,
): SettingTypes[Id] | undefined {
  const configuration = vscode.workspace.getConfiguration(undefined, scope);
  const value = configuration.get<SettingTypes[Id]>(id);
  const fallback = configuration.inspect<SettingTypes[Id]>(id)?.defaultValue;
  const sameKind = typeof value === typeof fallback && Array.isArray(value) === Array.isArray(fallback);
  return sameKind ? value : fallback;
}

export function isEndShown(): boolean {
  const when = readSetting(settings.notifyWhenDone);
  return when === 'always' || (when === 'whenAway' && !vscode.window.state.focused);
}

export async function writeUserSetting<Id extends SettingId>(id: Id, value: SettingTypes[Id]): Promise<void> {
  await vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
}

export function onSettingChange(
  ids: readonly SettingId[],
  listener: (event: vscode.ConfigurationChangeEvent) => void,
): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (ids.some((id) => event.affectsConfiguration(id))) listener(event);
  });
}
