import { peakCount, trackActions, type FromMusic } from '../../webview/contract/music';

/** Validates messages from the panel: one that does not match the contract exactly is dropped. */
export function readMusicMessage(message: unknown): FromMusic | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, prompt, seconds, action, id, peaks } = message as Record<string, unknown>;
  switch (type) {
    case 'ready':
    case 'cancel':
    case 'keep':
    case 'dismiss':
    case 'signIn':
    case 'selectService':
    case 'undo':
      return { type };
    case 'generate':
      return typeof prompt === 'string' && typeof seconds === 'number'
        ? { type, prompt, seconds }
        : undefined;
    case 'track': {
      const known = trackActions.find((candidate) => candidate === action);
      return known !== undefined && typeof id === 'string' ? { type, action: known, id } : undefined;
    }
    case 'peaks':
      return typeof id === 'string' && arePeaks(peaks) ? { type, id, peaks } : undefined;
    default:
      return undefined;
  }
}

export function arePeaks(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length === peakCount &&
    value.every((peak) => typeof peak === 'number' && peak >= 0 && peak <= 1)
  );
}
