import { type FromRecord, type RecordChange, recordActions } from '../../webview/contract/record';

/** Validates messages from the page: it shows files of strangers, so it is not trusted. */
export function readRecordMessage(message: unknown): FromRecord | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, action, index, changes } = message as Record<string, unknown>;
  switch (type) {
    case 'ready':
      return { type };
    case 'act': {
      const known = recordActions.find((each) => each === action);
      return known && { type, action: known };
    }
    case 'runWith':
      return Array.isArray(changes) && changes.every(isChange)
        ? { type, changes: changes.map(changeOf) }
        : undefined;
    case 'copySeed':
    case 'openOutput':
      return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0
        ? { type, index }
        : undefined;
    default:
      return undefined;
  }
}

function isChange(value: unknown): value is RecordChange {
  if (typeof value !== 'object' || value === null) return false;
  const { node, input, text } = value as Record<string, unknown>;
  return typeof node === 'string' && typeof input === 'string' && typeof text === 'string';
}

function changeOf({ node, input, text }: RecordChange): RecordChange {
  return { node, input, text };
}
