import { describe, expect, it } from 'vitest';
import { sentTextsOfJob } from '../../../src/core/runLife/sentTexts';

/** What a server that answers this says about the job `a/b`, and the requests to it. */
async function told(answer: string) {
  const asked: string[] = [];
  const transport = {
    text: ({ path }: { readonly path: string }) => {
      asked.push(path);
      return Promise.resolve(answer);
    },
  };
  return { asked, texts: await sentTextsOfJob(transport, 'a/b') };
}

/** An answer about a job with these members of its `workflow`. */
const jobWith = (workflow: string) => told(`{"id": "a/b", "workflow": ${workflow}}`);

describe('what a server says a job was submitted with', () => {
  it('is the prompt and the graph with every digit, and the key of the run', async () => {
    const { asked, texts } = await jobWith(
      `{"prompt": {"1": {"seed": 18446744073709551615, "cfg": 7.0}},
        "extra_data": {"comfy_deck_run": "key", "extra_pnginfo": {"workflow": { "nodes": [1.50] }}}}`,
    );
    expect(asked).toEqual(['/api/jobs/a%2Fb']);
    expect(texts).toEqual({
      promptText: '{"1": {"seed": 18446744073709551615, "cfg": 7.0}}',
      workflowText: '{ "nodes": [1.50] }',
      runKey: 'key',
    });
  });

  it('has neither graph nor key if none was sent, or something else is in their place', async () => {
    const only = { promptText: '{}', workflowText: undefined, runKey: undefined };
    expect((await jobWith('{"prompt": {}}')).texts).toEqual(only);
    const odd = '{"prompt": {}, "extra_data": {"comfy_deck_run": 7, "extra_pnginfo": {"workflow": "[]"}}}';
    expect((await jobWith(odd)).texts).toEqual(only);
    expect((await jobWith('{"prompt": {}, "extra_data": "{}"}')).texts).toEqual(only);
  });

  it.each(['{}', '{"prompt": null}', '{"prompt": "{}"}', '[]', 'null'])(
    'is nothing without a prompt: %s',
    async (workflow) => {
      expect((await jobWith(workflow)).texts).toBeUndefined();
    },
  );

  it.each(['', '[]', '{"workflow": 1}'])('is nothing in an answer that is none: %j', async (answer) => {
    expect((await told(answer)).texts).toBeUndefined();
  });

  it('is not what belongs to another job', async () => {
    await expect(told('{"id": "other", "workflow": {"prompt": {}}}')).rejects.toMatchObject({
      reason: 'unexpectedShape',
      endpoint: 'GET /api/jobs/a%2Fb',
    });
  });

  it.each(['{"workflow": {"prompt": {}}}', '{"id": 7, "workflow": {"prompt": {}}}'])(
    'is that of the job even if the answer does not name it: %s',
    async (answer) => {
      expect((await told(answer)).texts).toMatchObject({ promptText: '{}' });
    },
  );
});
