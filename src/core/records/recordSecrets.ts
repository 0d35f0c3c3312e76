import { mapTexts } from '../safety/secrets';
import type { RunRecord } from './runRecord';

export type HideSecrets = (text: string) => string;

/** A key may stand in a title, a file's name or a server's words. What ties a record to its files stays. */
export function recordWithoutSecrets(record: RunRecord, hide: HideSecrets): RunRecord {
  const { label, sourceUri, inputs, warnings, nodes, error, texts, promptText, workflowText } = record;
  const { blocked, notices } = record;
  const own = {
    label,
    sourceUri,
    inputs,
    warnings,
    error,
    blocked,
    notices,
    texts,
    promptText,
    workflowText,
  };
  return {
    ...record,
    ...mapTexts(own, hide),
    expected: record.expected.map((file) => withDisplayName(file, hide)),
    files: record.files.map((file) => withDisplayName(file, hide)),
    temporary: record.temporary?.map((file) => withDisplayName(file, hide)),
    nodes: nodes && withTitles(nodes, hide),
  };
}

function withDisplayName<T extends { readonly displayName?: string | undefined }>(
  file: T,
  hide: HideSecrets,
): T {
  return file.displayName === undefined ? file : { ...file, displayName: hide(file.displayName) };
}

function withTitles(nodes: NonNullable<RunRecord['nodes']>, hide: HideSecrets): RunRecord['nodes'] {
  return Object.fromEntries(
    Object.entries(nodes).map(([id, node]) => [
      id,
      { ...node, title: node.title === undefined ? undefined : hide(node.title) },
    ]),
  );
}
