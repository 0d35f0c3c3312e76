import type { Job } from './job';

/** Something that a node or the server said about a run, beside its outputs. */
export interface JobWords {
  /** Missing: the server itself. */
  readonly nodeId?: string;
  readonly text: string;
  /** ms, our own clock. */
  readonly at: number;
}

/** What was said, in the order in which it was; of each node its last words, unless they are an output as well. */
export function jobWords(job: Job): readonly JobWords[] {
  const outputs = new Set(job.texts.map(({ nodeId, text }) => `${nodeId}\n${text.trim()}`));
  const ofNodes = Object.values(job.nodes).flatMap(({ nodeId, text = '', textAt }): JobWords[] => {
    const said = text.trim();
    if (said === '' || outputs.has(`${nodeId}\n${said}`)) return [];
    return [{ nodeId, text: said, at: textAt ?? 0 }];
  });
  return [...(job.notices ?? []), ...ofNodes].sort((a, b) => a.at - b.at);
}
