import { prepareRun } from '../runs/prepareRun';
import { leadsOutside } from '../runs/mediaUploads';
import type { LocalMedia, UploadQuestion } from '../runs/localMedia';
import type { PreparedMedia } from '../runs/preparedRun';
import type { ServerDefinitions } from '../server/serverDefinitions';
import { splitFolderNote } from '../workflow/mediaInputs';
import { WorkflowDocument } from '../workflow/workflowDocument';
import { rowText, type BatchAxis } from './batchTable';
import { valueShown } from './batchWords';

export interface BatchFiles {
  readonly label: string;
  readonly workflowText: string;
  readonly axes: readonly BatchAxis[];
  readonly definitions: ServerDefinitions;
  /** The local file of a name, found without reading it. */
  readonly localMedia: (name: string) => Promise<LocalMedia | undefined>;
}

/** The local files that any row of a batch uses, each once, for one question before the first row is sent. */
export async function batchUploads(batch: BatchFiles): Promise<UploadQuestion[]> {
  const { label, workflowText, axes, definitions, localMedia } = batch;
  const workflow = WorkflowDocument.of(rowText(workflowText, axes, 0));
  const prepared = prepareRun({ workflow, label }, { seeds: 'keep' }, definitions);
  if (prepared.kind === 'refused') return [];
  const names = new Map<string, Set<PreparedMedia['kind']>>();
  for (const media of prepared.media) {
    for (const name of namesOf(media, axes)) {
      const kinds = names.get(name) ?? new Set();
      names.set(name, kinds.add(media.kind));
    }
  }
  const questions = new Map<string, UploadQuestion>();
  for (const [name, kinds] of names) {
    if (leadsOutside(name)) continue;
    const local = await localMedia(name);
    if (!local) continue;
    const { place, description, size, marks } = local;
    questions.set(place, { name, place, description, size, marks, kinds: [...kinds] });
  }
  return [...questions.values()];
}

/** The names that an input gets: one, or those of all steps. */
function namesOf({ nodeId, input, fileName }: PreparedMedia, axes: readonly BatchAxis[]): string[] {
  for (const { columns, steps } of axes) {
    const at = columns.findIndex((column) => column.nodeId === nodeId && column.input === input);
    if (at < 0) continue;
    return steps.map((texts) => splitFolderNote(valueShown(texts[at] ?? '')).fileName);
  }
  return [fileName];
}
