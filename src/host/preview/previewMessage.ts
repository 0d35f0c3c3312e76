import { outputActions, type FromPreview } from '../../webview/contract/preview';

/**
 * Validates messages from the panel: one that does not match the contract exactly is dropped, since a page that shows
 * untrusted files is not trusted.
 */
export function readPreviewMessage(message: unknown): FromPreview | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, jobId, nodeId, key, action, serial, seeds, index } = message as Record<string, unknown>;
  switch (type) {
    case 'ready':
      return typeof jobId === 'string' ? { type, jobId } : { type };
    case 'framePainted':
      return typeof serial === 'number' ? { type, serial } : undefined;
    case 'run':
    case 'showProblems':
      return { type };
    case 'runAgain':
      if (typeof jobId !== 'string' || (seeds !== 'keep' && seeds !== 'new')) return undefined;
      return { type, jobId, seeds };
    case 'goToProblem':
      return typeof index === 'number' && Number.isSafeInteger(index) ? { type, index } : undefined;
    case 'cancel':
    case 'showReport':
      return typeof jobId === 'string' ? { type, jobId } : undefined;
    case 'selected':
      return typeof jobId === 'string' && typeof key === 'string' ? { type, jobId, key } : undefined;
    case 'goToNode':
      return typeof jobId === 'string' && typeof nodeId === 'string' ? { type, jobId, nodeId } : undefined;
    case 'output': {
      const known = outputActions.find((candidate) => candidate === action);
      if (known === undefined || typeof jobId !== 'string' || typeof key !== 'string') return undefined;
      return { type, action: known, jobId, key };
    }
    default:
      return undefined;
  }
}
