import * as vscode from 'vscode';
import { PositionIndex } from '../../core/json/position';
import { type NodePlaces, nodePlacesIn } from '../../core/workflow/nodePlaces';

/** Places of one text in the editor's terms; the text is read once, when it is first needed. */
export class TextPlaces {
  readonly #source: string;
  #positions: PositionIndex | undefined;
  #nodes: NodePlaces | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  /** A stretch of the text, from offsets in UTF-16 units. */
  rangeAt(offset: number, length: number): vscode.Range {
    this.#positions ??= new PositionIndex(this.#source);
    const start = this.#positions.positionAt(offset);
    const end = this.#positions.positionAt(offset + length);
    return new vscode.Range(start.line, start.character, end.line, end.character);
  }

  /** Where a node stands; undefined when the text has no such node, or one of another node type than `classType`. */
  nodeRange(nodeId: string, classType?: string): vscode.Range | undefined {
    this.#nodes ??= nodePlacesIn(this.#source);
    const place = this.#nodes(nodeId, classType);
    return place && this.rangeAt(place.offset, place.length);
  }
}
