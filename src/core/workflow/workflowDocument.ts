import { type JsonDocument, parseJson } from '../json/tree';
import {
  detectFormat,
  looksLikeWorkflow,
  type NoWorkflow,
  promptNodeOf,
  type WorkflowFormat,
} from './format';
import { type Graph, readGraph } from './graph/graph';
import { type Prompt, readPrompt } from './prompt';
import { t } from '../safety/localize';

/** What a workflow file is, or what a broken text would be once it is JSON again. */
type WorkflowShape = Exclude<WorkflowFormat, NoWorkflow>;

const notAWorkflow: NoWorkflow = {
  kind: 'none',
  reason: 'notAWorkflow',
  message: t`The file is not a ComfyUI workflow.`,
  offset: 0,
};

/**
 * One version of a text with everything that is read from it: each part is read on first use, once, and shared by all
 * features. Keep one of these per open document and version. A text that does not look like a workflow is never parsed.
 */
export class WorkflowDocument {
  #json: JsonDocument | undefined;
  #format: WorkflowFormat | undefined;
  #prompt: Prompt | undefined;
  #graph: Graph | undefined;

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

  /** What the file is; `none` without parsing where nothing in its first part looks like a workflow. */
  get format(): WorkflowFormat {
    this.#format ??= looksLikeWorkflow(this.text) ? detectFormat(this.json) : notAWorkflow;
    return this.#format;
  }

  /** The format; while the text is broken what it would be without the mistake. */
  get shape(): WorkflowShape | undefined {
    const { format } = this;
    return format.kind === 'none' ? format.almost : format;
  }

  /** Whether the file holds a prompt or a graph, broken or not. */
  get isWorkflow(): boolean {
    return this.shape !== undefined && this.shape.kind !== 'objectInfo';
  }

  /** The prompt of an API file, wrapped or not. */
  get prompt(): Prompt | undefined {
    const node = this.shape && promptNodeOf(this.shape);
    if (node) this.#prompt ??= readPrompt(this.json, node);
    return this.#prompt;
  }

  /** The graph of a graph file, wrapped or not. */
  get graph(): Graph | undefined {
    const { shape } = this;
    if (shape?.kind !== 'graph' && !(shape?.kind === 'wrapper' && shape.inner === 'graph')) return undefined;
    this.#graph ??= readGraph(this.json, shape.node);
    return this.#graph;
  }
}
