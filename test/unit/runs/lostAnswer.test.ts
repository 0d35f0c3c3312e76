import { describe, expect, it } from 'vitest';
import { networkError } from '../../../src/core/client/networkError';
import { ServerError } from '../../../src/core/protocol/serverError';
import { mayHaveArrived } from '../../../src/core/runs/lostAnswer';

function afterTrouble(code: string): boolean {
  const error = Object.assign(new Error('fetch failed'), { code });
  return mayHaveArrived(networkError(error, 'POST /api/prompt', 'http://127.0.0.1:8188/api/prompt'));
}

describe('a submission without an answer', () => {
  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])('cannot have arrived after %s', (code) => {
    expect(afterTrouble(code)).toBe(false);
  });

  it.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'EHOSTUNREACH'])(
    'may have arrived after %s',
    (code) => {
      expect(afterTrouble(code)).toBe(true);
    },
  );

  it('may have arrived when the answer is too large to be read, unless that is what the server refuses', () => {
    const told = { reason: 'tooLarge', endpoint: 'POST /api/prompt' } as const;
    expect(mayHaveArrived(new ServerError('Too large.', told))).toBe(true);
    expect(mayHaveArrived(new ServerError('Too large.', { ...told, status: 413 }))).toBe(false);
  });
});
