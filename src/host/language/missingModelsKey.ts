import * as vscode from 'vscode';
import type { Finding } from '../../core/check/finding';
import { mentionsModel } from '../../core/workflow/modelNames';
import { activeDocument, onDidChangeActiveDocument } from '../platform/activeDocument';
import { contextKeys } from '../platform/contributions';
import { setContext } from '../platform/contextKeys';
import type { Checks } from './checks';

/** Whether a finding reports a model that the server lacks. */
export function tellsOfModel({ code, message }: Finding): boolean {
  return code === 'model-not-on-server' || (code === 'option-unknown' && mentionsModel(message));
}

export function keepMissingModelsKey(checks: Checks): vscode.Disposable {
  const tell = (): void => {
    const document = activeDocument();
    const findings = document ? checks.told(document) : [];
    setContext(contextKeys.missesModels, findings.some(tellsOfModel));
  };
  return vscode.Disposable.from(checks.onDidCheck(tell), onDidChangeActiveDocument(tell));
}
