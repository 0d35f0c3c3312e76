import { PositionIndex } from '../json/position';
import { type JsonDocument, parseJson } from '../json/tree';
import {
  detectFormat,
  looksLikeWorkflow,
  type NoWorkflow,
  promptObjectOfFile,
  type WorkflowFormat,
} from './format';
import { type Graph, readGraph } from './graph/graph';
import { type Prompt, readPrompt } from './prompt';

type WorkflowShape = Exclude<WorkflowFormat, NoWorkflow>;

/** One version of a text: each part is read once, on first use. What doesn't look like a workflow is never parsed. */
export class WorkflowDocument {
  #json: JsonDocument | undefined;
  #mayBeWorkflow: boolean | undefined;
  #format: WorkflowFormat | undefined;
  #prompt: Prompt | undefined;
  #graph: Graph | undefined;
  #positions: PositionIndex | undefined;

  private constructor(
    readonly text: string,
    readonly version: number,
  ) {}

  static of(text: string, version = 0): WorkflowDocument {
    return new WorkflowDocument(text, version);
  }

  get json(): JsonDocument {
    this.#json ??= parseJson(this.text);
    return this.#json;
  }

  /** Lines and characters of the text, for features that return thousands of places at once. */
  get positions(): PositionIndex {
    this.#positions ??= new PositionIndex(this.text);
    return this.#positions;
  }

  get format(): WorkflowFormat {
    this.#format ??= detectFormat(this.json);
    return this.#format;
  }

  /** The format, also of a text with a mistake. Undefined, without parsing, if the start looks like no workflow. */
  get shape(): WorkflowShape | undefined {
    this.#mayBeWorkflow ??= this.#format !== undefined || looksLikeWorkflow(this.text);
    if (!this.#mayBeWorkflow) return undefined;
    const { format } = this;
    return format.kind === 'none' ? format.almost : format;
  }

  get isWorkflow(): boolean {
    return this.shape !== undefined && this.shape.kind !== 'objectInfo';
  }

  get prompt(): Prompt | undefined {
    const node = this.shape && promptObjectOfFile(this.shape);
    if (node) this.#prompt ??= readPrompt(this.json, node);
    return this.#prompt;
  }

  get graph(): Graph | undefined {
    const { shape } = this;
    if (shape?.kind !== 'graph' && !(shape?.kind === 'wrapper' && shape.inner === 'graph')) return undefined;
    this.#graph ??= readGraph(this.json, shape.node);
    return this.#graph;
  }
}
