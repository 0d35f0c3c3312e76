import * as vscode from 'vscode';
import type { Catalog } from '../../core/catalog/catalog';
import { indexClasses } from '../../core/language/classIndex';
import type { NodeDefinitions } from '../catalogs/definitionSource';

/** How long definitions have to be there before their index is made (ms): first the file is shown. */
const indexAfter = 1_000;

/** Makes the list of classes for completions and proposals ahead, in steps that no keystroke notices. */
export function indexAhead(definitions: NodeDefinitions, onIndexed: () => void): vscode.Disposable {
  let indexed: Catalog | undefined;
  let timer: NodeJS.Timeout | undefined;
  const follow = (): void => {
    const { catalog } = definitions.rules;
    if (catalog === indexed) return;
    indexed = catalog;
    clearTimeout(timer);
    if (!catalog) return;
    const steps = indexClasses(catalog);
    const step = (): void => {
      if (indexed !== catalog) return;
      if (steps.next().done === true) onIndexed();
      else timer = setTimeout(step, 0);
    };
    timer = setTimeout(step, indexAfter);
  };
  const following = definitions.onDidChangeRules(follow);
  follow();
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    following.dispose();
  });
}
