import type { Check, Finding } from './check';
import { absent, expectThat, held } from './check';
import type { LiveServer } from './liveServer';
import { node, plainPicture } from './prompts';
import type { Nodes } from './prompts';

const save = (images: unknown): Nodes[string] => node('SaveImage', { images, filename_prefix: 'x' });

interface Refusal {
  readonly name: string;
  readonly nodes: Nodes;
  /** Types in the words of new and of old servers; any of them counts. */
  readonly types: readonly string[];
  /** The required node type. */
  readonly needs?: string;
}

const refusals: readonly Refusal[] = [
  {
    name: 'unknown class',
    nodes: { ...plainPicture(), 3: node('NoSuchNodeAnywhere', {}) },
    types: ['missing_node_type', 'invalid_prompt'],
  },
  { name: 'no output', nodes: { 1: plainPicture()[1] ?? save(null) }, types: ['prompt_no_outputs'] },
  {
    name: 'missing input',
    nodes: { 1: node('EmptyImage', { width: 64 }), 2: save(['1', 0]) },
    types: ['required_input_missing'],
  },
  {
    name: 'value too large',
    nodes: { ...plainPicture(), 1: node('EmptyImage', { width: 1e6, height: 64, batch_size: 1, color: 0 }) },
    types: ['value_bigger_than_max'],
  },
  {
    name: 'value too small',
    nodes: { ...plainPicture(), 1: node('EmptyImage', { width: 0, height: 64, batch_size: 1, color: 0 }) },
    types: ['value_smaller_than_min'],
  },
  {
    name: 'value of the wrong kind',
    nodes: {
      ...plainPicture(),
      1: node('EmptyImage', { width: 'wide', height: 64, batch_size: 1, color: 0 }),
    },
    types: ['invalid_input_type'],
  },
  {
    name: 'value not in the list',
    nodes: {
      ...plainPicture(),
      3: node('ImageScale', {
        image: ['1', 0],
        upscale_method: 'by hand',
        width: 8,
        height: 8,
        crop: 'disabled',
      }),
      2: save(['3', 0]),
    },
    types: ['value_not_in_list'],
    needs: 'ImageScale',
  },
  {
    name: 'link of the wrong type',
    nodes: { 1: node('SolidMask', { value: 1, width: 8, height: 8 }), 2: save(['1', 0]) },
    types: ['return_type_mismatch'],
    needs: 'SolidMask',
  },
  {
    name: 'link of the wrong form',
    nodes: { ...plainPicture(), 2: save(['1', 0, 0]) },
    types: ['bad_linked_input'],
  },
];

/** Prompts that the server refuses; our own check predicts each, and the answer must be classified. */
export const refusalChecks: readonly Check[] = [
  ...refusals.map((refusal): Check => ({
    name: `refused: ${refusal.name}`,
    run: (server) => checkRefusal(server, refusal),
  })),
  {
    name: 'refused: by ourselves before it is sent',
    async run(server) {
      for (const { name, nodes, needs } of refusals) {
        if (needs !== undefined && !(await server.catalog()).has(needs)) continue;
        const outcome = await server.run(nodes);
        expectThat(outcome.kind === 'refused', `${name}: the run was ${outcome.kind}`);
      }
      // This one is only tried on our own sandbox: it would stop a real server.
      const killing = {
        ...plainPicture(),
        2: node('SaveImage', { ...save(['1', 0]).inputs, extra: ['99', 0] }),
      };
      const outcome = await server.run(killing, { force: true });
      expectThat(
        outcome.kind === 'refused' && outcome.reason === 'stopsServer',
        'the dangerous one was sent',
      );
      return held();
    },
  },
];

async function checkRefusal(server: LiveServer, { nodes, types, needs }: Refusal): Promise<Finding> {
  if (needs !== undefined && !(await server.catalog()).has(needs)) return absent(`no class ${needs}`);
  const answer = await server.post(nodes);
  if (answer.kind === 'accepted') {
    const job = await server.finished(answer.promptId);
    expectThat(job.state === 'failed', `accepted, and ended as ${job.state}`);
    return held('accepted, then failed');
  }
  const told = [
    answer.error.type ?? '',
    ...Object.values(answer.nodeErrors).flatMap(({ errors }) => errors.map(({ type }) => type)),
  ];
  expectThat(
    types.some((type) => told.includes(type)),
    `the server says ${told.join(', ')}`,
  );
  return held(told.at(-1));
}
