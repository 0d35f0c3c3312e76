import * as vscode from 'vscode';
import type { Catalog } from '../../core/catalog/catalog';
import type { NodeReplacements } from '../../core/catalog/nodeReplacements';
import { isEditorOnly, type UnknownClass } from '../../core/registry/packAnswer';
import { type ClassTypePlace, classTypePlaces } from '../../core/workflow/classTypePlaces';
import { shown } from '../../core/safety/shownText';
import { UserProblem } from '../platform/problems';
import { workflowIn } from '../platform/readWorkflow';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';
import type { Servers } from '../servers/servers';

/** A node type in an open file that the server lacks. */
export interface UnknownClassAt extends UnknownClass {
  readonly range: vscode.Range;
}

/** A line that names a node type, as editors and servers write files. */
const namesClass = /"(?:class_)?type"\s*:/;

const unknownClassCode = 'unknown-class';

/** The node types of a workflow file that the selected server lacks: neither defined nor replaced (protocol 6.2). */
export class UnknownClasses {
  readonly #read = new WeakMap<vscode.TextDocument, { version: number; places: readonly ClassTypePlace[] }>();

  constructor(private readonly servers: Servers) {}

  /** Asks the server only if that starts nothing and needs nothing from the user. */
  async at(document: vscode.TextDocument, position: vscode.Position): Promise<UnknownClassAt | undefined> {
    const said = vscode.languages.getDiagnostics(document.uri).filter(isUnknownClass).flatMap(placesOf);
    // The cursor moves often: most lines don't need the entire file.
    const mayName = namesClass.test(document.lineAt(position.line).text);
    if (!mayName && !said.some((range) => range.contains(position))) return undefined;
    const offset = document.offsetAt(position);
    const place = this.#places(document).find(
      ({ node }) => offset >= node.offset && offset <= node.offset + node.length,
    );
    if (!place || isEditorOnly(place.classType)) return undefined;
    const { node, classType, pack } = place;
    const range = new vscode.Range(
      document.positionAt(node.offset),
      document.positionAt(node.offset + node.length),
    );
    const isSaid = said.some((each) => each.intersection(range));
    if (!isSaid && !(await this.#isUnknown(classType))) return undefined;
    return { classType, pack, range };
  }

  /** Every unknown node type of a workflow, once. Fails if the server's node types can't be determined. */
  async all(
    workflow: WorkflowDocument,
  ): Promise<{ readonly unknown: readonly UnknownClass[]; readonly server: string }> {
    const session = await this.servers.session();
    const { catalog, replacements } = await session.serverDefinitions();
    const server = session.server.name;
    if (!catalog) {
      throw new UserProblem(
        shown`${server} doesn't provide its list of node types.`,
        shown`Select another server to see which packs are missing.`,
      );
    }
    const unknown = new Map<string, UnknownClass>();
    for (const { classType, pack, repository } of classTypePlaces(workflow)) {
      if (isEditorOnly(classType) || hasClass(classType, catalog, replacements)) continue;
      const known = unknown.get(classType);
      unknown.set(classType, {
        classType,
        pack: known?.pack ?? pack,
        repository: known?.repository ?? repository,
      });
    }
    return { unknown: [...unknown.values()], server };
  }

  #places(document: vscode.TextDocument): readonly ClassTypePlace[] {
    const { version } = document;
    const known = this.#read.get(document);
    if (known?.version === version) return known.places;
    const places = classTypePlaces(workflowIn(document));
    this.#read.set(document, { version, places });
    return places;
  }

  async #isUnknown(classType: string): Promise<boolean> {
    try {
      const session = await this.servers.quietSession();
      const { catalog, replacements } = (await session?.serverDefinitions()) ?? {};
      return catalog !== undefined && !hasClass(classType, catalog, replacements);
    } catch {
      return false;
    }
  }
}

/** A diagnostic may cover several node types: their other places are its related information. */
function placesOf({ range, relatedInformation = [] }: vscode.Diagnostic): vscode.Range[] {
  return [range, ...relatedInformation.map(({ location }) => location.range)];
}

export function isUnknownClass({ code }: vscode.Diagnostic): boolean {
  return (typeof code === 'object' ? code.value : code) === unknownClassCode;
}

function hasClass(classType: string, catalog: Catalog, replacements: NodeReplacements | undefined): boolean {
  const replacement = replacements?.get(classType);
  return catalog.has(classType) || (replacement !== undefined && catalog.has(replacement.newClassType));
}
