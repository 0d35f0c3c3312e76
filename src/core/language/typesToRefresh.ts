import type { Catalog } from '../catalog/catalog';
import { classTypePlaces } from '../workflow/classTypePlaces';
import { inputModelFolder, isModelName } from '../workflow/modelNames';
import type { WorkflowDocument } from '../workflow/workflowDocument';

/** Definitions that may change without a restart: those that list model files, and those that the server lacks. */
export function typesToRefresh(doc: WorkflowDocument, catalog: Catalog, most: number): string[] {
  const found = new Set<string>();
  for (const { classType } of classTypePlaces(doc)) {
    if (found.size >= most) break;
    if (!catalog.has(classType) || listsModels(classType, catalog)) found.add(classType);
  }
  return [...found];
}

function listsModels(classType: string, catalog: Catalog): boolean {
  return (
    catalog
      .get(classType)
      ?.inputs.some(
        ({ name, spec }) =>
          spec.kind === 'combo' &&
          spec.upload === undefined &&
          (inputModelFolder(classType, name) !== undefined ||
            spec.choices.some((choice) => typeof choice === 'string' && isModelName(choice))),
      ) === true
  );
}
