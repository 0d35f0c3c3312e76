import { nodeText } from './iteration';
import type { Job } from './job';

/** Something that a node or the server said about a run, besides its outputs. */
export interface JobWords {
  /** Missing: the server itself. */
  readonly nodeId?: string;
  readonly text: string;
  /** ms, our own clock. */
  readonly at: number;
}

/** The messages in order; for each node its last one, unless it is also an output. */
export function jobWords(job: Job): readonly JobWords[] {
  const outputs = new Set(job.texts.map(({ nodeId, text }) => `${nodeId}\n${text.trim()}`));
  const ofNodes = Object.values(job.nodes).flatMap(({ nodeId, text = '', textAt }): JobWords[] => {
    const said = text.trim();
    if (said === '' || outputs.has(`${nodeId}\n${said}`)) return [];
    return [{ nodeId, text: nodeText(said), at: textAt ?? 0 }];
  });
  return [...(job.notices ?? []), ...ofNodes].sort((a, b) => a.at - b.at);
}
