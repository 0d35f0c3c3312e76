import * as vscode from 'vscode';
import type { Catalog } from '../../core/catalog/catalog';
import type { NodeReplacements } from '../../core/catalog/nodeReplacements';
import { isEditorOnly } from '../../core/registry/classTypeNames';
import type { UnknownClass } from '../../core/registry/packAnswer';
import { type ClassTypePlace, classTypePlaces } from '../../core/workflow/classTypePlaces';
import { shown } from '../../core/safety/shownText';
import { UserProblem } from '../platform/problems';
import { workflowIn } from '../platform/readWorkflow';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';
import type { Servers } from '../servers/servers';

/** A class type in an open file that the server does not have. */
export interface UnknownClassAt extends UnknownClass {
  readonly range: vscode.Range;
}

/** A line in which a class is named, as editors and servers write files. */
const namesClass = /"(?:class_)?type"\s*:/;

/** The code of the diagnostics that say that a class is not known. */
const unknownClassCode = 'unknown-class';

/**
 * Which classes of a workflow file the chosen server lacks: neither among its definitions nor among those that it
 * replaces (protocol 6.2).
 */
export class UnknownClasses {
  readonly #servers: Servers;
  readonly #read = new WeakMap<vscode.TextDocument, { version: number; places: readonly ClassTypePlace[] }>();

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  /**
   * The unknown class that is named at a position. Asks the server only if that starts nothing and needs nothing from
   * the user; a diagnostic that knows already settles it.
   */
  async at(document: vscode.TextDocument, position: vscode.Position): Promise<UnknownClassAt | undefined> {
    const said = vscode.languages.getDiagnostics(document.uri).filter(isUnknownClass).flatMap(placesOf);
    // The cursor moves a lot: most lines need no look at the whole file.
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

  /** Every unknown class of a workflow, each once. Fails where it cannot be said what the server has. */
  async all(
    workflow: WorkflowDocument,
  ): Promise<{ readonly unknown: readonly UnknownClass[]; readonly server: string }> {
    const session = await this.#servers.session();
    const { catalog, replacements } = await session.serverDefinitions();
    const server = session.server.name;
    if (!catalog) {
      throw new UserProblem(
        shown`${server} doesn't say which node types it has.`,
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
      const session = await this.#servers.quietSession();
      const { catalog, replacements } = (await session?.serverDefinitions()) ?? {};
      return catalog !== undefined && !hasClass(classType, catalog, replacements);
    } catch {
      return false;
    }
  }
}

/** A diagnostic may tell of several classes: where else they are named stands beside it. */
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
