import { expect, it } from 'vitest';

import { sentInputs } from '../../../support/sentInputs';

const input = { required: { inputcount: ['INT', { default: 2 }] } };

it.each([
  ['ImageBatchMulti', ['Update inputs']],
  ['CrossFadeImagesMulti', ['Update inputs']],
  ['TransitionImagesMulti', ['Update inputs']],
  ['FluxBlockLoraSelect', ['Set all']],
  ['SoundReactive', ['Start mic capture', 'Stop mic capture']],
])('%s sends its buttons', (type, buttons) => {
  expect(sentInputs(input, { type, widgets_values: [3] })).toEqual({
    inputcount: 3,
    ...Object.fromEntries(buttons.map((each) => [each, null])),
  });
});

it('a button sends what the file has', () => {
  const node = { type: 'JoinStringMulti', widgets_values: [3, ''] };
  expect(sentInputs(input, node)).toEqual({ inputcount: 3, 'Update inputs': '' });
});

it('names of files get the date', () => {
  const saver = { required: { filename_prefix: ['STRING', {}] } };
  const node = { type: 'SaveImageKJ', widgets_values: ['%date:yyyy%/a'] };
  expect(sentInputs(saver, node).filename_prefix).toMatch(/^\d{4}\/a$/);
});
