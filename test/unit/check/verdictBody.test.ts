import { describe, expect, it } from 'vitest';

import { predictVerdict, verdictBody } from '../../../src/core/check/verdict';
import { promptFromText } from '../../../src/core/workflow/prompt';
import { sampleServer } from './sampleServer';

function prompt(seed: string): ReturnType<typeof promptFromText> {
  return promptFromText(`{
    "1": {"class_type": "Loader", "inputs": {"name": "a"}},
    "2": {"class_type": "Sampler", "inputs": {"model": ["1", 0], "seed": ${seed}, "cfg": 1, "mode": "m1"}},
    "3": {"class_type": "Save", "inputs": {"images": ["2", 0]}}
  }`);
}

describe('verdictBody', () => {
  it("has the shape of the server's refusal, with every digit", () => {
    expect(verdictBody(predictVerdict(prompt('18446744073709551616'), sampleServer))).toBe(
      '{"error": {"type": "prompt_outputs_failed_validation", "message": "Prompt outputs failed validation", ' +
        '"details": "", "extra_info": {}}, "node_errors": {"2": {"errors": [{"type": "value_bigger_than_max", ' +
        '"message": "Value 18446744073709551616 bigger than max of 18446744073709551615", "details": "seed", ' +
        '"extra_info": {"input_name": "seed", "input_config": ["INT", {"min": 0, "max": 18446744073709551615}], ' +
        '"received_value": 18446744073709551616}}], "dependent_outputs": ["3"], "class_type": "Sampler"}}}',
    );
  });
});
