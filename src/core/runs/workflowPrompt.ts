import type { JsonObject } from '../json/node';
import type { TextEdit } from '../json/textEdit';
import type { Graph } from '../workflow/graph/graph';
import type { SourceMap } from '../workflow/graph/sourceMap';
import type { Prompt } from '../workflow/prompt';
import type { PromptPlaces } from '../workflow/promptPlaces';
import type { WorkflowDocument } from '../workflow/workflowDocument';

/** The graph that a prompt was compiled from. */
export interface CompiledGraph {
  readonly graph: Graph;
  readonly source: SourceMap;
}

/** The prompt of a workflow file, as far as it can be sent. */
export interface WorkflowPrompt {
  readonly kind: 'prompt';
  /** The file, without what is not posted: what a check looks at. */
  readonly document: WorkflowDocument;
  /** Of a graph file the prompt that was compiled: its offsets are those of a text of its own. */
  readonly prompt: Prompt;
  /** Where its parts stand in the file. */
  readonly places: PromptPlaces;
  /** The graph that the prompt was compiled from. */
  readonly graph?: CompiledGraph;
  /** The object that is posted. */
  readonly root: JsonObject;
  /** What must go before the prompt is posted: notes of other tools that the server takes for nodes. */
  readonly edits: readonly TextEdit[];
}
