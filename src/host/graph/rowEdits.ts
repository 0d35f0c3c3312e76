import * as vscode from 'vscode';
import type { Catalog } from '../../core/catalog/catalog';
import { fieldOf, optionText } from '../../core/check/valueField';
import { type LoadedDrawing, loadDrawing } from '../../core/drawing/drawWorkflow';
import { type PlacedRow, placedRow, type RowPlace } from '../../core/drawing/placedRow';
import { type RowField, steppedText, writtenText, wrongText } from '../../core/drawing/rowValue';
import { exactEquals } from '../../core/json/exactEquals';
import { type ExactValue, exactValue } from '../../core/json/exactValue';
import { writeExact } from '../../core/json/exactWriter';
import type { JsonNode } from '../../core/json/node';
import { replaceValue, textOf } from '../../core/json/textEdit';
import { type Shown, shown } from '../../core/safety/shownText';
import { controlModes } from '../../core/workflow/graph/extraWidgets';
import type { WorkflowDocument } from '../../core/workflow/workflowDocument';
import type { RowEditor } from '../../webview/contract/graphPanel';
import { applyChange, changeOf } from '../platform/editorRanges';
import { UserProblem } from '../platform/problems';
import { workflowIn } from '../platform/readWorkflow';

/** What is drawn. */
export interface DrawnWorkflow {
  readonly workflow: WorkflowDocument;
  readonly loaded: LoadedDrawing;
  readonly catalog: Catalog;
}

export interface RowOfNode {
  readonly node: string;
  readonly input: string;
}

/** A row that can be changed, as the text has it now. */
interface FoundRow {
  readonly document: vscode.TextDocument;
  readonly row: PlacedRow['row'];
  readonly places: readonly [JsonNode, ...JsonNode[]];
  readonly field: RowField;
  readonly choices: readonly ExactValue[];
  /** The value, as it is entered. */
  readonly text: string;
}

/** Changes values in the text of a file where rows of its graph are changed. */
export class RowEdits {
  /** One change after the other: each looks its place up in the text that the one before has made. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly file: vscode.Uri) {}

  /** What an editor for a row needs; undefined if its value is written in the text. */
  async editor(drawn: DrawnWorkflow, { node, input }: RowOfNode): Promise<RowEditor | undefined> {
    const found = await this.#find(drawn, { node, input });
    return found && { node, input, label: found.row.label, field: found.field, text: found.text };
  }

  /** @param from the value that was changed, so that no other one is */
  change(drawn: DrawnWorkflow, at: RowOfNode, from: string, to: string): Promise<void> {
    return this.#inTurn(async () => {
      const found = await this.#find(drawn, at);
      if (!found || found.text !== from) throw changed();
      if (wrongText(found.field, to) === undefined) await write(found, to);
    });
  }

  /** To the next value, up (1) or down (-1), and a switch to its other one. False if it is a text. */
  step(drawn: DrawnWorkflow, at: RowOfNode, by: 1 | -1): Promise<boolean> {
    return this.#inTurn(async () => {
      const found = await this.#find(drawn, at);
      if (!found) return false;
      const next = steppedText(found.field, found.text, by);
      if (next !== undefined) await write(found, next);
      return true;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #find(drawn: DrawnWorkflow, { node, input }: RowOfNode): Promise<FoundRow | undefined> {
    const document = await vscode.workspace.openTextDocument(this.file);
    const workflow = workflowIn(document);
    const loaded = workflow === drawn.workflow ? drawn.loaded : loadDrawing(workflow, drawn.catalog);
    const seen = placedRow(drawn.loaded, drawn.workflow, node, input);
    const now = loaded && placedRow(loaded, workflow, node, input);
    if (!seen || now?.nodeType !== seen.nodeType) throw changed();
    const { row, place } = now;
    if (place.kind !== 'places') throw unchangeable(row.label, place.kind);
    const [value] = place.places;
    const choices = choicesOf(row);
    const field = rowField(row, choices, value);
    return (
      field && {
        document,
        row,
        places: place.places,
        field,
        choices,
        text: enteredText(document, value, choices),
      }
    );
  }
}

async function write({ document, places, field, choices }: FoundRow, text: string): Promise<void> {
  const choice = field.kind === 'options' ? choices.find((each) => optionText(each) === text) : undefined;
  const newText = choice === undefined ? writtenText(field, text) : writeExact(choice);
  const edits = places.map((place) => replaceValue(place, newText));
  await applyChange(changeOf(document, edits), document.uri);
}

function choicesOf({ kind, spec }: PlacedRow['row']): readonly ExactValue[] {
  // Such a row without a definition says what happens to a value after a run.
  if (!spec) return kind === 'combo' ? controlModes : [];
  if (spec.kind === 'dynamicCombo') return spec.branches.map(({ key }) => key);
  return spec.kind === 'combo' && !spec.multiselect ? spec.choices : [];
}

/** Undefined for what is written in the text. */
function rowField(
  { spec }: PlacedRow['row'],
  choices: readonly ExactValue[],
  value: JsonNode,
): RowField | undefined {
  if (value.kind === 'object' || value.kind === 'array') return undefined;
  if (choices.length > 0) return { kind: 'options', options: choices.map(optionText) };
  const { kind, ...field } = fieldOf(spec, value);
  if (kind !== 'int' && kind !== 'float' && kind !== 'boolean') return undefined;
  return { ...field, kind, ...(spec ? {} : { step: '1' }) };
}

/** The value as it is entered: a choice as its list has it, a number with its digits. */
function enteredText(document: vscode.TextDocument, value: JsonNode, choices: readonly ExactValue[]): string {
  const exact = exactValue(value);
  const choice = choices.find((each) => exactEquals(each, exact));
  if (choice !== undefined) return optionText(choice);
  return typeof exact === 'string' ? exact : textOf(document.getText(), value);
}

function changed(): UserProblem {
  return new UserProblem(
    shown`The workflow has changed, so the value wasn't set.`,
    shown`Change it again in the graph.`,
  );
}

function unchangeable(name: string, why: Exclude<RowPlace['kind'], 'places'>): UserProblem {
  const [what, next] = reasons[why](name);
  return new UserProblem(what, next);
}

const reasons: Readonly<
  Record<Exclude<RowPlace['kind'], 'places'>, (name: string) => readonly [Shown, Shown]>
> = {
  linked: (name) => [
    shown`${name} gets its value from a link.`,
    shown`Change it where the link begins, or remove the link.`,
  ],
  inside: (name) => [
    shown`The value of ${name} is inside the subgraph.`,
    shown`Change it in the text, for all instances of the subgraph.`,
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
