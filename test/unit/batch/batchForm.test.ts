import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBatchFile } from '../../../src/core/batch/batchFile';
import {
  type BatchForm,
  batchFormFromSpec,
  batchSpecFromForm,
  type FormAxis,
  planForm,
  previewTable,
} from '../../../src/core/batch/batchForm';
import {
  type BatchInput,
  inputChoices,
  readBatchInputs,
  selectInput,
} from '../../../src/core/batch/batchInputs';
import { writeBatchFile } from '../../../src/core/batch/writeBatchFile';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { catalog } from '../runs/definitions';

const promptText = JSON.stringify({
  1: { class_type: 'Noise', inputs: { seed: 7 }, _meta: { title: 'First v1.5' } },
  2: { class_type: 'Noise', inputs: { seed: 8, image: ['4', 0] } },
  3: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'shot' } },
  4: { class_type: 'LoadImage', inputs: { image: 'known.png' }, _meta: { title: '3' } },
  5: { class_type: 'EmptyImage', inputs: { width: 64, height: 64 } },
});
const servers = ['sandbox'];

function inputsOf(text = promptText): readonly BatchInput[] {
  const known = readBatchInputs(WorkflowDocument.of(text), catalog);
  if (known.kind === 'refused') throw new Error(known.message);
  return known.inputs;
}

/** The form of a batch file made by hand, and what is saved after a change of it. */
function opened(set: string, more = ''): { form: BatchForm; saved: (change: Partial<BatchForm>) => string } {
  const text = `{ "format": 1, "workflow": "./w.json",${more}\n "set": ${set} }\n`;
  const file = readBatchFile(text);
  if (file.kind === 'invalid') throw new Error(JSON.stringify(file.findings));
  const form = batchFormFromSpec(file, inputsOf(), servers);
  return {
    form,
    saved: (change) => {
      const changed = { ...form, ...change };
      const { spec, problems } = batchSpecFromForm(changed, inputsOf());
      expect(problems).toEqual([]);
      return writeBatchFile('w.json', changed, spec, { text, form });
    },
  };
}

const axis = (change: Partial<FormAxis>): FormAxis => ({
  selector: '5.width',
  kind: 'list',
  text: '',
  column: '',
  ...change,
});

describe('the form of a batch', () => {
  it('shows every kind of values as people write them', () => {
    const { form } = opened(`{
      "5.width": [64, 128], "5.height": {"from": 1, "to": 3.50, "step": 0.25}, "1.seed": 7,
      "3.filename_prefix": ["a, b", "c"], "2.seed": {"csv": "t.csv", "column": "x"}, "a.b": {"lines": "l.txt"},
      "4.image": {"options": true}, "c.d": {"prompt": "a {b|c}"}
    }`);
    expect(form.axes.map(({ kind, text, column }) => [kind, text, column])).toEqual([
      ['list', '64, 128', ''],
      ['range', '1..3.50..0.25', ''],
      ['list', '7', ''],
      ['list', 'a, b\nc', ''],
      ['file', 't.csv', 'x'],
      ['file', 'l.txt', ''],
      ['options', '', ''],
      ['prompt', 'a {b|c}', ''],
    ]);
    expect(form).toMatchObject({ count: '', window: '', servers });
  });

  it('gives back a file that was not changed, character for character', () => {
    const { form, saved } = opened('{ "5.width" : [ 64,128 ] }', ' "stopAfterErrors": 9, "$schema": "x",');
    expect(saved({})).toBe(
      '{ "format": 1, "workflow": "./w.json", "stopAfterErrors": 9, "$schema": "x",\n "set": { "5.width" : [ 64,128 ] } }\n',
    );
    const axes = form.axes.map(({ selector, kind, text, column }) => ({ column, text, kind, selector }));
    expect(saved({ axes })).toBe(saved({}));
  });

  it('keeps what it does not show, and how unchanged values are written', () => {
    const { form, saved } = opened(
      '{ "5.width": 18446744073709551615, "5.height": [ 1.50 ] }',
      ' "stopAfterErrors": 9, "servers": [ "cloud" ],',
    );
    const second = { ...axis({ selector: '5.height', text: '8, 9' }) };
    const text = saved({ count: '4', axes: [...form.axes.slice(0, 1), second] });
    expect(text).toBe(`{
  "format": 1,
  "workflow": "./w.json",
  "stopAfterErrors": 9,
  "servers": [ "cloud" ],
  "set": {
    "5.width": 18446744073709551615,
    "5.height": [8, 9]
  },
  "count": 4
}
`);
  });

  it('reads back any list of values exactly', () => {
    const scalar = fc.oneof(
      fc.string(),
      fc.constantFrom('a, b', '7', '[1]', ' x', 'line\nbreak', '"', 'true', ''),
      fc.integer(),
      fc.boolean(),
    );
    fc.assert(
      fc.property(
        fc.array(scalar, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('5.width', '3.filename_prefix', '4.image', 'not.there'),
        (values, selector) => {
          const texts = values.map((value) => JSON.stringify(value));
          const set = [{ selector, source: { kind: 'values', texts } as const }];
          const form = batchFormFromSpec({ set }, inputsOf(), servers);
          expect(batchSpecFromForm(form, inputsOf())).toMatchObject({ spec: { set }, problems: [] });
        },
      ),
    );
  });

  it('writes a file that reads back as the same batch', () => {
    const form: BatchForm = {
      count: '3',
      window: '4',
      servers: ['cloud', 'http://127.0.0.1:8188'],
      axes: [
        axis({ text: '64, 128' }),
        axis({ selector: '5.height', kind: 'range', text: '10..1..0.5' }),
        axis({ selector: '3.filename_prefix', kind: 'prompt', text: 'a "{b|c}"' }),
        axis({ selector: '4.image', kind: 'options' }),
        axis({ selector: '1.seed', kind: 'file', text: 't/x.csv', column: 'a"b' }),
      ],
    };
    const { spec, problems } = batchSpecFromForm(form, inputsOf());
    expect(problems).toEqual([]);
    const file = readBatchFile(writeBatchFile('w.json', form, spec, undefined));
    expect(file).toMatchObject({ kind: 'batch', workflow: 'w.json', ...spec });
    if (file.kind === 'batch') expect(batchFormFromSpec(file, inputsOf(), servers)).toEqual(form);
  });

  it.each([
    [{ axes: [axis({ text: '64, many' })] }, { axis: 0, message: /"many" is not a whole number/ }],
    [{ axes: [axis({})] }, { axis: 0, message: /at least one value/, isMissing: true }],
    [{ axes: [axis({ selector: '' })] }, { axis: 0, message: /Select an input/, isMissing: true }],
    // Half typed.
    [{ axes: [axis({ selector: 'Empty' })] }, { axis: 0, message: /Select an input/, isMissing: true }],
    [{ axes: [axis({ kind: 'file' })] }, { axis: 0, message: /Select a file/, isMissing: true }],
    [{ axes: [axis({ text: ',' })] }, { axis: 0, message: /no values/ }],
    [{ axes: [axis({ kind: 'range', text: '1..x' })] }, { axis: 0, message: /Enter a range as/ }],
    [{ axes: [axis({ kind: 'range', text: '7' })] }, { axis: 0, message: /Enter a range as/ }],
    [{ axes: [axis({ kind: 'file', text: '../x.txt' })] }, { axis: 0, message: /Select a file/ }],
    [{ axes: [axis({ text: '1' }), axis({ text: '2' })] }, { axis: 1, message: /twice/, isInput: true }],
    [{ count: '0' }, { field: 'count', message: /from 1 to 10000/ }],
    [{ window: 'two' }, { field: 'window', message: /from 1 to 100/ }],
    [{ servers: [] }, { field: 'servers', message: /at least one/ }],
  ])('says what is wrong, and where: %j', (change, problem) => {
    const form = { count: '', window: '', servers, axes: [], ...change };
    expect(batchSpecFromForm(form, inputsOf()).problems).toEqual([
      { ...problem, message: expect.stringMatching(problem.message) as string },
    ]);
  });
});

describe('the inputs to choose from', () => {
  it('are named so that each selector means one of them', () => {
    const choices = inputChoices(inputsOf(), promptText);
    expect(choices.map(({ selector }) => selector)).toEqual([
      '"First v1.5".seed',
      '2.seed',
      'SaveImage.filename_prefix',
      '4.image',
      'EmptyImage.width',
      'EmptyImage.height',
    ]);
    for (const { selector } of choices) expect(() => selectInput(selector, inputsOf())).not.toThrow();
    expect(choices[0]).toMatchObject({ value: '7', field: { kind: 'int', max: '18446744073709551615' } });
    expect(choices[3]?.field).toEqual({ kind: 'options', options: ['known.png'] });
  });

  it('mean what they say, whatever the titles are', () => {
    const title = fc.oneof(fc.string(), fc.constantFrom('1', '2', 'Noise', 'a.b', '"a"', 'seed', '1.seed'));
    fc.assert(
      fc.property(fc.array(title, { minLength: 1, maxLength: 5 }), (titles) => {
        const text = JSON.stringify(
          Object.fromEntries(
            titles.map((each, index) => [
              index + 1,
              { class_type: 'Noise', inputs: { seed: index }, _meta: { title: each } },
            ]),
          ),
        );
        const inputs = inputsOf(text);
        const choices = inputChoices(inputs, text);
        const chosen = choices.map(({ selector }) => selectInput(selector, inputs).nodeId);
        expect(chosen).toEqual(titles.map((_, index) => String(index + 1)));
      }),
    );
  });
});

describe('a planned form', () => {
  const plan = (
    change: Partial<BatchForm>,
    { signal = new AbortController().signal, hasOthers = false } = {},
  ) =>
    planForm({
      workflow: WorkflowDocument.of(promptText),
      form: { count: '', window: '', servers, axes: [], ...change },
      catalog,
      readText: () => Promise.resolve('1\n2\n3\n'),
      signal,
      hasOthers,
    });

  it('has a table, without numbers that are drawn anew', async () => {
    const { plan: planned, problems } = await plan({ count: '2', axes: [axis({ text: '64, 128' })] });
    expect(problems).toEqual([]);
    expect(planned?.rows).toBe(4);
    expect(planned && previewTable(planned, true, 3)).toEqual({
      columns: ['EmptyImage.width', 'First v1.5.seed', 'Noise.seed'],
      rows: [
        ['64', null, null],
        ['64', null, null],
        ['128', null, null],
      ],
    });
  });

  it('names the problems of all axes', async () => {
    const { plan: planned, problems } = await plan({
      axes: [
        axis({ selector: 'nothing.here', text: '1' }),
        axis({ selector: '1.seed', kind: 'file', text: 'x.txt' }),
        axis({ selector: '5.height', kind: 'options' }),
      ],
    });
    expect(planned).toBeUndefined();
    expect(problems.map((each) => [each.axis, each.isInput])).toEqual([
      [0, true],
      [2, undefined],
    ]);
  });

  it('names values that the definitions do not allow, unless another server may take them', async () => {
    const axes = [axis({ text: '64, 0, 5000' })];
    const { plan: planned, problems } = await plan({ axes });
    expect(planned).toBeUndefined();
    expect(problems).toEqual([
      { axis: 0, isWarning: false, value: '0', message: 'width must be at least 1; 0 is too small.' },
      { axis: 0, isWarning: false, value: '5000', message: 'width must be at most 4096; 5000 is too large.' },
    ]);
    const shared = await plan({ axes }, { hasOthers: true });
    expect(shared.plan?.rows).toBe(3);
    expect(shared.problems.map(({ isWarning }) => isWarning)).toEqual([true, true]);
  });

  it('is not made when the form has changed', async () => {
    const ended = AbortSignal.abort();
    await expect(plan({ axes: [axis({ text: '1' })] }, { signal: ended })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
