import { exactFrom } from '../../src/core/json/exactValue';
import { writeExact } from '../../src/core/json/exactWriter';
import { type Prompt, promptFromText } from '../../src/core/workflow/prompt';

/** A prompt of plain data, such as a parsed request; places refer to a text made for the purpose. */
export function promptFromData(data: unknown): Prompt {
  return promptFromText(writeExact(exactFrom(data)));
}
