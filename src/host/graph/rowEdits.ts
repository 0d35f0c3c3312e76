import type * as vscode from 'vscode';
import type { Catalog } from '../../core/catalog/catalog';
import type { UploadKind } from '../../core/catalog/inputSpec';
import { makeValueField, optionTexts } from '../../core/check/valueField';
import { type LoadedDrawing, loadDrawing, drawnLevelNode } from '../../core/drawing/drawWorkflow';
import { type PlacedRow, placedRow, type RowOrigin, type RowPlace } from '../../core/drawing/placedRow';
import { type RowField, steppedText, writtenText, wrongText } from '../../core/drawing/rowValue';
import { exactEquals } from '../../core/json/exactEquals';
import { type ExactValue, exactValue } from '../../core/json/exactValue';
import { writeExact } from '../../core/json/exactWriter';
import type { JsonNode } from '../../core/json/node';
import { replaceValue, type TextEdit, sourceTextIn } from '../../core/json/textEdit';
import { modeEdits } from '../../core/language/edits/modeEdits';
import { newGraphSeeds } from '../../core/language/places/graphSeeds';
import { randomSeed } from '../../core/runs/randomSeed';
import { type Shown, shown } from '../../core/safety/shownText';
import { controlModes } from '../../core/workflow/graph/extraWidgets';
import type { NodeMode } from '../../core/workflow/graph/graphNode';
import type { LiveNode } from '../../core/workflow/graph/liveNode';
import { newSeedEdits } from '../../core/workflow/seeds';
import { GraphRefusal } from '../../core/workflow/graph/graphProblem';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';
import type { RowEditor } from '../../webview/contract/graphPanel';
import { applyChange, workspaceEdit } from '../platform/editorRanges';
import { UserProblem } from '../platform/problems';
import { workflowIn } from '../platform/readWorkflow';
import { messageWithoutSecrets } from '../platform/shownSecrets';

export interface DrawnWorkflow {
  readonly workflow: WorkflowDocument;
  readonly loaded: LoadedDrawing;
  readonly catalog: Catalog;
  /** The ID of the instance whose inside is drawn; empty for the root. */
  readonly inside: string;
}

export interface RowOfNode {
  readonly node: string;
  readonly input: string;
}

/** A row can't be changed here, but in another node, or else in the text. */
export class ElsewhereProblem extends UserProblem {
  constructor(
    what: Shown,
    next: Shown,
    readonly origin?: RowOrigin,
  ) {
    super(what, next);
  }
}

interface FoundRow {
  readonly row: PlacedRow['row'];
  readonly places: readonly [JsonNode, ...JsonNode[]];
  readonly field: RowField;
  readonly choices: readonly ExactValue[];
  readonly text: string;
}

/** Changes values in the text of a file where rows of its graph are changed. */
export class RowEdits {
  /** One change after the other, because each finds its place in the text that the previous one made. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param localNames of the files from where a run uploads them */
  constructor(
    private readonly document: vscode.TextDocument,
    private readonly localNames: (kind: UploadKind) => Promise<readonly string[]> = () => Promise.resolve([]),
  ) {}

  /** The data for editing a row; undefined if its value is written in the text. */
  editor(drawn: DrawnWorkflow, { node, input }: RowOfNode): Promise<RowEditor | undefined> {
    return this.#inTurn(async () => {
      const found = await this.#find(drawn, { node, input });
      if (!found) return undefined;
      const { row, field, text } = found;
      const editor = { node, input, label: row.label, field, text };
      // A value that is hidden on the page would be another one when it comes back.
      if (JSON.stringify(messageWithoutSecrets(editor)) === JSON.stringify(editor)) return editor;
      throw new ElsewhereProblem(
        shown`A value of ${row.label} looks like a key, so it isn't shown.`,
        shown`Change it in the text.`,
      );
    });
  }

  /** @param from the value that was changed, so that no other one is */
  change(drawn: DrawnWorkflow, at: RowOfNode, from: string, to: string): Promise<void> {
    return this.#inTurn(async () => {
      const found = await this.#find(drawn, at);
      if (found?.text !== from) throw changed();
      const wrong = wrongText(found.field, to);
      if (wrong !== undefined)
        throw new UserProblem(shown`${found.row.label} wasn't set to “${to}”.`, shown`${wrong}`);
      await this.#write(found.places, newTextOf(found, to));
    });
  }

  /** Steps to the next value, up (1) or down (-1), or toggles a switch. False if it is written in the text. */
  step(drawn: DrawnWorkflow, at: RowOfNode, by: 1 | -1): Promise<boolean> {
    return this.#set(drawn, at, (found) => {
      const next = steppedText(found.field, found.text, by);
      return next === undefined ? undefined : newTextOf(found, next);
    });
  }

  reset(drawn: DrawnWorkflow, at: RowOfNode): Promise<boolean> {
    return this.#set(drawn, at, ({ row: { standard } }) => standard !== undefined && writeExact(standard));
  }

  /** Names a file, whether the server lists it or not. */
  setFile(drawn: DrawnWorkflow, at: RowOfNode, name: string): Promise<boolean> {
    return this.#set(drawn, at, () => JSON.stringify(name));
  }

  setMode(drawn: DrawnWorkflow, node: string, mode: NodeMode): Promise<void> {
    return this.#changeNode(drawn, node, ({ source }, { graph }) =>
      graph ? modeEdits(graph, source, mode) : [],
    );
  }

  newSeeds(drawn: DrawnWorkflow, node: string): Promise<void> {
    const { catalog } = drawn;
    return this.#changeNode(drawn, node, ({ id, source }, { graph, prompt }) => {
      if (graph) return newGraphSeeds(graph, catalog, randomSeed, source);
      const edits = prompt ? newSeedEdits(prompt, catalog, randomSeed) : [];
      return edits.filter(({ nodeId }) => nodeId === id);
    });
  }

  /** Resolves when the changes that were asked for so far are made. */
  made(): Promise<void> {
    return this.#inTurn(() => undefined);
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** @returns whether its value isn't written in the text */
  #set(
    drawn: DrawnWorkflow,
    at: RowOfNode,
    textFor: (found: FoundRow) => string | false | undefined,
  ): Promise<boolean> {
    return this.#inTurn(async () => {
      const found = await this.#find(drawn, at);
      const text = found && textFor(found);
      if (found && typeof text === 'string') await this.#write(found.places, text);
      return found !== undefined;
    });
  }

  #changeNode(
    drawn: DrawnWorkflow,
    id: string,
    editsOf: (node: LiveNode, workflow: WorkflowDocument) => readonly TextEdit[],
  ): Promise<void> {
    return this.#inTurn(async () => {
      const { workflow, loaded } = this.#now(drawn);
      const node = loaded && drawnLevelNode(loaded, drawn.inside, id);
      if (!node) throw changed();
      await this.#apply(editsOf(node, workflow));
    });
  }

  #write(places: readonly JsonNode[], newText: string): Promise<void> {
    return this.#apply(places.map((place) => replaceValue(place, newText)));
  }

  async #apply(edits: readonly TextEdit[]): Promise<void> {
    const { document } = this;
    if (edits.length > 0) await applyChange(workspaceEdit(document, edits), document.uri);
  }

  #now(
    drawn: DrawnWorkflow,
  ): Pick<DrawnWorkflow, 'workflow'> & { readonly loaded: LoadedDrawing | undefined } {
    const workflow = workflowIn(this.document);
    const loaded = workflow === drawn.workflow ? drawn.loaded : loadedAgain(workflow, drawn.catalog);
    return { workflow, loaded };
  }

  async #find(drawn: DrawnWorkflow, { node, input }: RowOfNode): Promise<FoundRow | undefined> {
    const { inside } = drawn;
    const seen = placedRow(drawn.loaded, drawn.workflow, inside, node, input);
    const kind = seen?.row.spec?.kind === 'combo' ? seen.row.spec.upload : undefined;
    const local = kind === undefined ? [] : await this.localNames(kind);
    const { workflow, loaded } = this.#now(drawn);
    const now = loaded && placedRow(loaded, workflow, inside, node, input);
    if (!seen || now?.nodeType !== seen.nodeType) throw changed();
    const { row, place } = now;
    if (place.kind !== 'places') throw unchangeable(row.label, place);
    const [value] = place.places;
    const choices = [...local, ...choicesOf(row).filter((each) => !local.some((name) => name === each))];
    const field = rowField(row, choices, value);
    if (!field) return undefined;
    const text = enteredText(this.document, value, field, choices);
    return { row, places: place.places, field, choices, text };
  }
}

function loadedAgain(workflow: WorkflowDocument, catalog: Catalog): LoadedDrawing | undefined {
  try {
    return loadDrawing(workflow, catalog);
  } catch (error) {
    if (!(error instanceof GraphRefusal)) throw error;
    throw new UserProblem(
      shown`The workflow has changed, so the edit wasn't applied.`,
      shown`${error.message}`,
    );
  }
}

function newTextOf({ field, choices }: FoundRow, text: string): string {
  const choice = choices[field.options?.indexOf(text) ?? -1];
  return choice === undefined ? writtenText(field, text) : writeExact(choice);
}

function choicesOf({ kind, spec }: PlacedRow['row']): readonly ExactValue[] {
  // Without a definition, such a row is the control after a run.
  if (!spec) return kind === 'combo' ? controlModes : [];
  if (spec.kind === 'dynamicCombo') return spec.branches.map(({ key }) => key);
  return spec.kind === 'combo' && !spec.multiselect ? spec.choices : [];
}

/** Undefined for what is written in the text. */
function rowField(
  { spec, kind: rowKind, name }: PlacedRow['row'],
  choices: readonly ExactValue[],
  value: JsonNode,
): RowField | undefined {
  if (value.kind === 'object' || value.kind === 'array') return undefined;
  if (choices.length > 0) return { kind: 'options', options: optionTexts(choices) };
  if (rowKind === 'textBox' || rowKind === 'markdown') return { kind: 'lines' };
  if (rowKind === 'text' || rowKind === 'color') {
    const text = exactValue(value);
    return { kind: typeof text === 'string' && /[\r\n]/.test(text) ? 'lines' : 'text' };
  }
  const { kind, ...field } = makeValueField(spec, value);
  if (kind !== 'int' && kind !== 'float' && kind !== 'boolean') return undefined;
  if (spec) return { ...field, kind };
  // A strength in a row of a node pack may have decimals, whatever it has now.
  return name.includes('.') && kind === 'int'
    ? { kind: 'float', step: '0.05' }
    : { ...field, kind, step: '1' };
}

/** The value as it is entered: a choice as its list has it, a number with its digits, a switch as it is drawn. */
function enteredText(
  document: vscode.TextDocument,
  value: JsonNode,
  { kind, options }: RowField,
  choices: readonly ExactValue[],
): string {
  const exact = exactValue(value);
  const choice = options?.[choices.findIndex((each) => exactEquals(each, exact))];
  if (choice !== undefined) return choice;
  if (kind === 'boolean') return String(exact === true || (typeof exact === 'string' && exact !== ''));
  return typeof exact === 'string' ? exact : sourceTextIn(document.getText(), value);
}

function changed(): UserProblem {
  return new UserProblem(
    shown`The workflow has changed, so the edit wasn't applied.`,
    shown`Change it again in the graph.`,
  );
}

function unchangeable(name: string, place: Exclude<RowPlace, { readonly kind: 'places' }>): UserProblem {
  const origin = 'from' in place ? place.from : undefined;
  const [what, next] = reasons[place.kind](name, shown`${origin?.title ?? ''}`);
  return new ElsewhereProblem(what, next, origin);
}

const reasons: Readonly<
  Record<Exclude<RowPlace['kind'], 'places'>, (name: string, from: Shown) => readonly [Shown, Shown]>
> = {
  linked: (name, from) => [
    from.isEmpty ? shown`${name} gets its value from a link.` : shown`${name} gets its value from ${from}.`,
    shown`Change it where the link begins, or remove the link.`,
  ],
  inside: (name) => [
    shown`The value of ${name} is inside the subgraph.`,
    shown`Change it there, for all instances of the subgraph.`,
  ],
  absent: (name) => [
    shown`The file doesn't contain a value for ${name}, so the default applies.`,
    shown`Add it in the text.`,
  ],
  several: (name) => [
    shown`Several values of the node are called ${name}.`,
    shown`Change the one that you mean in the text.`,
  ],
  decides: (name) => [
    shown`Other values of the node depend on ${name}.`,
    shown`Change it in the ComfyUI editor, or in the text with the values after it.`,
  ],
};
