import { describe, expect, it } from 'vitest';
import { check, lines, the, workflow } from './checkTexts';
import { graph } from './graphTexts';

function saving(prefix: string): string {
  return workflow({}, { '3': { class_type: 'Save', inputs: { images: ['2', 0], prefix } } });
}

describe('placeholders', () => {
  it.each(['{{prompt}}', 'a {{ subject_1 }} in rain', '${subject}', '%prompt%'])(
    'in a text are hints: %s',
    (text) => {
      expect(lines(workflow({ text }), {}, true)).toEqual([`hint placeholder ${JSON.stringify(text)}`]);
      expect(the('placeholder', workflow({ text })).message).toContain('with --set 2.text=…');
    },
  );

  const others = ['{{a|b}, c}', '{day|night}', '100% cotton, 50% silk', 'out_%width%', '%time_%seed%', '$5'];
  it.each(others)('are not seen in %s', (text) => {
    expect(lines(saving(text), {}, true)).toEqual([]);
  });

  it('in place of a number or an option are errors that name --set', () => {
    const text = workflow({ steps: '{{steps}}', cfg: '%cfg%', scheduler: '${scheduler}' });
    expect(lines(text)).toEqual([
      'error value-type "{{steps}}"',
      'error value-type "%cfg%"',
      'error option-unknown "${scheduler}"',
    ]);
    const [steps, , scheduler] = check(text).findings;
    expect(steps?.message).toBe(
      'steps must be an integer, not "{{steps}}". Replace this placeholder with a value, or set one for a run with --set 2.steps=20.',
    );
    expect(scheduler?.message).toContain('--set 2.scheduler=normal.');
  });

  it('of a graph are seen as well', () => {
    const text = graph({ sampler: { widgets_values: [20, 7, 1, 'fixed', true, 'normal', '{{text}}'] } });
    expect(lines(text, {}, true)).toEqual(['hint placeholder "{{text}}"']);
  });
});

describe('what only the ComfyUI editor replaces', () => {
  it('is sent as it is from a file in API format', () => {
    expect(lines(saving('%date:yyyy-MM-dd%/a_%Sampler.seed%'))).toEqual([
      'warning text-not-replaced "%date:yyyy-MM-dd%/a_%Sampler.seed%"',
    ]);
    expect(the('text-not-replaced', saving('%date:yyyy%_%Sampler.seed%')).message).toContain(
      'replaces %date:yyyy% and %Sampler.seed%, so the server receives',
    );
    expect(lines(saving('5%.2%'))).toEqual([]);
    expect(lines(saving('%date:yyyy%'), { catalog: undefined })).toEqual([
      'warning text-not-replaced "%date:yyyy%"',
    ]);
  });

  it('is replaced in a graph', () => {
    expect(lines(graph({ save: { widgets_values: ['%date:yyyy%'] } }))).toEqual([]);
  });
});

describe('bare NaN', () => {
  it('is reported outside inputs and in graphs', () => {
    const api = workflow().replace('"_meta": {', '"_meta": { "x": NaN,').replace('"cfg": 7', '"cfg": NaN');
    expect(lines(api)).toEqual(['warning non-finite-number NaN', 'warning non-finite-number NaN']);
    expect(lines(graph().replace('"version":0.4', '"version":0.4,"extra":{"at":-Infinity}'))).toEqual([
      'warning non-finite-number -Infinity',
    ]);
  });
});
