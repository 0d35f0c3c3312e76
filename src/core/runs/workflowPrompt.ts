import type { JsonObject } from '../json/node';
import type { TextEdit } from '../json/textEdit';
import type { Graph } from '../workflow/graph/graph';
import type { GraphProblem } from '../workflow/graph/graphProblem';
import type { SourceMap } from '../workflow/graph/sourceMap';
import type { Prompt } from '../workflow/prompt';
import type { PromptPlaces } from '../workflow/promptPlaces';
import type { WorkflowDocument } from '../workflow/workflowDocument';

export interface CompiledGraph {
  readonly graph: Graph;
  readonly source: SourceMap;
  /** Random choices of the run, as edits of the file, because the server writes the graph into the pictures. */
  readonly chosen: readonly TextEdit[];
  readonly losses: readonly GraphProblem[];
}

export interface WorkflowPrompt {
  readonly kind: 'prompt';
  /** The file without what is not posted: what the check sees. */
  readonly document: WorkflowDocument;
  readonly prompt: Prompt;
  readonly places: PromptPlaces;
  readonly graph?: CompiledGraph;
  readonly root: JsonObject;
  /** Parts that must be removed before posting: other tools' metadata that the server would treat as nodes. */
  readonly edits: readonly TextEdit[];
}
