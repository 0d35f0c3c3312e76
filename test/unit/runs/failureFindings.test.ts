import { describe, expect, it } from 'vitest';

import { failureWords } from '../../../src/core/jobs/failureText';
import { lateFindings } from '../../../src/core/runs/serverFindings';

const answer = JSON.stringify({
  error: { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation' },
  node_errors: {
    '5': {
      class_type: 'KSampler',
      errors: [
        { type: 'value_not_in_list', message: 'Value not in list', details: 'scheduler', extra_info: {} },
        { type: 'required_input_missing', message: 'Required input is missing', details: '', extra_info: {} },
      ],
    },
  },
});
const failure = (message: string) => ({ exceptionType: 'ValidationError', message, traceback: [] });

describe('a late refusal', () => {
  it('becomes a finding per error and node, even if the text that was run is no longer known', () => {
    expect(lateFindings(failure(answer)).map(({ nodeId, message }) => `${nodeId ?? ''} ${message}`)).toEqual([
      '5 KSampler (node 5): Value not in list: scheduler.',
      '5 KSampler (node 5): Required input is missing.',
    ]);
  });

  it('reads as sentences, and other messages stay unchanged', () => {
    expect(failureWords(failure(answer))).toBe(
      'KSampler (node 5): Value not in list: scheduler\nKSampler (node 5): Required input is missing',
    );
    expect(failureWords(failure('{"error": {"message": "No such model"}}'))).toBe('No such model');
    for (const words of ['out of memory', 'service said {"error": "busy"} twice', '{not json}']) {
      expect(failureWords(failure(words))).toBe(words);
    }
  });
});
