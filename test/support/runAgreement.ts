import type { SocketTold } from './socketTold';

/** The reports about one job: about the job itself, and about each of its nodes, in order. */
export interface JobStory {
  readonly job: readonly string[];
  readonly nodes: ReadonlyMap<string, readonly string[]>;
}

/** The story of each job in the messages of a socket. Repetitions count once: the number of steps does not matter. */
export function jobStories(told: readonly SocketTold[]): ReadonlyMap<string, JobStory> {
  const stories = new Map<string, { job: string[]; nodes: Map<string, string[]> }>();
  let current: { promptId: string; nodeId: string } | undefined;
  const add = (promptId: string, nodeId: string | undefined, what: string): void => {
    const story = stories.get(promptId) ?? { job: [], nodes: new Map<string, string[]>() };
    stories.set(promptId, story);
    const list = nodeId === undefined ? story.job : (story.nodes.get(nodeId) ?? []);
    if (nodeId !== undefined) story.nodes.set(nodeId, list);
    if (!list.includes(what)) list.push(what);
  };
  for (const each of told) {
    if (each.kind === 'frame') {
      const promptId = each.promptId ?? current?.promptId;
      if (promptId !== undefined) add(promptId, each.nodeId ?? current?.nodeId, `frame ${each.type}`);
      continue;
    }
    const promptId = text(each.data['prompt_id']);
    if (promptId === undefined) continue;
    const nodeId = text(each.data['node']) ?? text(each.data['node_id']);
    if (each.type === 'executing' && nodeId !== undefined) current = { promptId, nodeId };
    switch (each.type) {
      case 'progress_state':
        for (const [id, node] of Object.entries(each.data['nodes'] as Record<string, { state: string }>)) {
          add(promptId, id, `state ${node.state}`);
        }
        break;
      case 'execution_cached':
        add(
          promptId,
          undefined,
          `execution_cached ${[...(each.data['nodes'] as string[])].sort().join(' ')}`,
        );
        break;
      case 'execution_error':
      case 'execution_interrupted':
        add(promptId, undefined, each.type);
        add(promptId, nodeId, `${each.type} ${text(each.data['exception_type']) ?? ''}`);
        break;
      default:
        add(promptId, nodeId, each.type);
    }
  }
  return stories;
}

/** Where the story of a job differs from the recorded one; empty if they match. */
export function storyDifferences(mine: JobStory | undefined, theirs: JobStory): string[] {
  if (!mine) return ['nothing was told'];
  const found: string[] = [];
  const compare = (what: string, a: readonly string[], b: readonly string[]): void => {
    if (a.join(', ') !== b.join(', ')) found.push(`${what}: ${a.join(', ')} instead of ${b.join(', ')}`);
  };
  compare('job', mine.job, theirs.job);
  for (const id of new Set([...mine.nodes.keys(), ...theirs.nodes.keys()])) {
    compare(`node ${id}`, untimed(mine.nodes.get(id)), untimed(theirs.nodes.get(id)));
  }
  return found;
}

/** How far an interrupted node got depends on timing. */
function untimed(story: readonly string[] = []): readonly string[] {
  const isInterrupted = story.some((what) => what.startsWith('execution_interrupted'));
  return isInterrupted ? story.filter((what) => what !== 'progress' && !what.startsWith('frame ')) : story;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
