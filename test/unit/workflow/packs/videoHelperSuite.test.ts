import { describe, expect, it } from 'vitest';

import { sentByNodes, sentInputs } from '../../../support/sentInputs';

const formats = {
  'image/gif': [],
  'video/h264-mp4': [
    ['pix_fmt', ['yuv420p', 'yuv420p10le']],
    ['crf', 'INT', { default: 19 }],
    ['save_metadata', 'BOOLEAN', { default: true }],
  ],
};
const combine = {
  required: {
    frame_rate: ['FLOAT', { default: 8 }],
    loop_count: ['INT', { default: 0 }],
    filename_prefix: ['STRING', { default: 'AnimateDiff' }],
    format: [Object.keys(formats), { formats }],
    pingpong: ['BOOLEAN', { default: false }],
    save_output: ['BOOLEAN', { default: true }],
  },
};
const saved = {
  frame_rate: 16,
  loop_count: 0,
  filename_prefix: 'a',
  format: 'video/h264-mp4',
  pingpong: false,
  save_output: false,
};

describe('a primitive', () => {
  it.each([
    ['frame_rate', 'VHSFLOAT', 12],
    ['loop_count', 'VHSINT', 3],
    ['crf', 'INT', 30],
  ])('writes its value into %s if it was saved with the type %s', (name, type, value) => {
    const inputs = [{ name, type: type.replace('VHS', ''), widget: { name }, link: 1 }];
    const outputs = [{ name: type, type, widget: { name }, links: [1] }];
    const sent = sentByNodes(
      { VHS_VideoCombine: combine },
      [
        { type: 'VHS_VideoCombine', widgets_values: { ...saved, crf: 19 }, inputs },
        { type: 'PrimitiveNode', widgets_values: [value], outputs },
      ],
      [[1, 2, 0, 1, 0, type.replace('VHS', '')]],
    );
    expect(sent['1']).toMatchObject({ [name]: value });
  });
});

describe('the inputs of the chosen format', () => {
  const ofFormat = { crf: 23, pix_fmt: 'yuv420p10le', save_metadata: false };

  it('are read by name, without the preview', () => {
    const widgets_values = { ...saved, ...ofFormat, videopreview: { hidden: false } };
    const node = { type: 'VHS_VideoCombine', widgets_values };
    expect(sentInputs(combine, node)).toEqual({ ...saved, ...ofFormat });
  });

  it('have their defaults', () => {
    const node = { type: 'VHS_VideoCombine', widgets_values: saved };
    expect(sentInputs(combine, node)).toMatchObject({ crf: 19, pix_fmt: 'yuv420p', save_metadata: true });
  });

  it('are only those of the format', () => {
    const widgets_values = { ...saved, ...ofFormat, format: 'image/gif' };
    const node = { type: 'VHS_VideoCombine', widgets_values };
    expect(sentInputs(combine, node)).toEqual({ ...saved, format: 'image/gif' });
  });

  it('can be linked', () => {
    const inputs = [{ name: 'crf', type: 'INT', widget: { name: 'crf' }, link: 1 }];
    const node = { type: 'VHS_VideoCombine', widgets_values: { ...saved, ...ofFormat }, inputs };
    const sent = sentByNodes(
      { VHS_VideoCombine: combine, Make: {} },
      [node, { type: 'Make' }],
      [[1, 2, 0, 1, 0, 'INT']],
    );
    expect(sent['1']).toMatchObject({ crf: ['2', 0], pix_fmt: 'yuv420p10le' });
  });
});

it('lists of older files are read by position', () => {
  const node = { type: 'VHS_VideoCombine', widgets_values: [12, 1, 'b', 'image/gif', true, false] };
  expect(sentInputs(combine, node)).toEqual({
    frame_rate: 12,
    loop_count: 1,
    filename_prefix: 'b',
    format: 'image/gif',
    pingpong: true,
    save_output: false,
  });
});

const loader = {
  required: {
    video: [['v.mp4']],
    force_rate: ['FLOAT', { default: 0 }],
    custom_width: ['INT', { default: 0 }],
    custom_height: ['INT', { default: 0 }],
    frame_load_cap: ['INT', { default: 0 }],
  },
};

describe('sizes of older loaders', () => {
  it.each([
    ['Disabled', 640, 480, 0, 0],
    ['512x?', 0, 0, 512, 0],
    ['512x768', 0, 0, 512, 768],
    ['Custom Height', 640, 480, 0, 480],
    ['Custom', 640, 480, 640, 480],
  ])('%s of %i x %i', (force_size, custom_width, custom_height, width, height) => {
    const widgets_values = { video: 'v.mp4', force_size, custom_width, custom_height };
    const sent = sentInputs(loader, { type: 'VHS_LoadVideo', widgets_values });
    expect(sent).toMatchObject({ custom_width: width, custom_height: height });
    expect(sent).not.toHaveProperty('force_size');
  });
});

it('sizes keep to the steps of the chosen format', () => {
  const steps = {
    AnimateDiff: { target_rate: 8, dim: [8, 0, 512, 512] },
    Wan: { target_rate: 16, dim: [16, 0, 832, 480], frames: [4, 1] },
  };
  const format = [Object.keys(steps), { formats: steps, default: 'AnimateDiff' }];
  const widgets_values = {
    video: 'v.mp4',
    force_rate: 8,
    custom_width: 512,
    custom_height: 500,
    frame_load_cap: 80,
    format: 'Wan',
  };
  const node = { type: 'VHS_LoadVideo', widgets_values };
  expect(sentInputs({ required: { ...loader.required, format } }, node)).toMatchObject({
    force_rate: 16,
    custom_width: 832,
    custom_height: 496,
    frame_load_cap: 81,
  });
});

it('a time of its own type is sent', () => {
  const input = { required: { start_time: ['VHSTIMESTAMP', { default: 0 }] } };
  const node = { type: 'VHS_LoadVideoFFmpeg', widgets_values: { start_time: 1.5 } };
  expect(sentInputs(input, node)).toEqual({ start_time: 1.5 });
});

it('steps of a format that are no numbers change a size to null', () => {
  const formats = { None: {}, odd: { dim: [8, 'x'] } };
  const input = { custom_width: ['INT', {}], format: [['None', 'odd'], { formats }] };
  const node = { type: 'VHS_LoadVideoPath', widgets_values: { custom_width: 9, format: 'odd' } };
  expect(sentInputs({ required: input }, node)).toEqual({ custom_width: null, format: 'odd' });
});

it('inputs of a format that have one name are numbered', () => {
  const formats = { many: Array.from({ length: 3 }, () => ['a', 'INT', {}]) };
  const node = { type: 'VHS_VideoCombine', widgets_values: { format: 'many' } };
  const sent = sentInputs({ required: { format: [['many'], { formats }] } }, node);
  expect(Object.keys(sent)).toEqual(['format', 'a', 'a#1', 'a#2']);
});
