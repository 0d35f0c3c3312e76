import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NodeFolder } from '../../src/core/outputs/nodeFolder';
import { saveAlone } from '../support/saveAlone';
import { ServerError } from '../../src/core/protocol/serverError';
import type { Check } from './check';
import { absent, expectThat, held } from './check';
import { newColour, node, plainPicture } from './prompts';
import type { Nodes } from './prompts';
import { unchanged } from '../support/unchanged';

const signal = AbortSignal.timeout(600_000);

/** Jobs that run to their end, and the reports about them. */
export const runChecks: readonly Check[] = [
  {
    name: 'a workflow runs to its picture',
    async run(server) {
      const job = await server.complete(plainPicture());
      expectThat(job.outputs.length === 1, `${job.outputs.length} outputs instead of 1`);
      const [first] = job.outputs;
      expectThat(first?.nodeId === '2' && first.area === 'output', `the output is ${JSON.stringify(first)}`);
      for (const id of ['1', '2']) {
        const state = job.nodes[id]?.state;
        expectThat(state === 'finished' || state === 'cached', `node ${id} ended as ${state ?? 'nothing'}`);
      }
      return held(first.filename);
    },
  },
  {
    name: 'outputs are saved, and again from the middle',
    async run(server) {
      const job = await server.complete(plainPicture(newColour(), 512));
      const folder = await mkdtemp(path.join(tmpdir(), 'conformance-'));
      try {
        const [saved] = await saveAlone({
          job,
          client: server.client,
          folder: new NodeFolder(folder),
          record: { hide: unchanged },
          signal,
        });
        expectThat(saved !== undefined, 'nothing was saved');
        const bytes = await readFile(saved.location);
        expectThat(bytes.subarray(1, 4).toString('latin1') === 'PNG', 'the file is no PNG');
        expectThat(createHash('sha256').update(bytes).digest('hex') === saved.sha256, 'the hash differs');
        expectThat((await readdir(folder)).length === 2, 'not the picture and its record alone');
        const middle = Math.floor(bytes.length / 2);
        const rest = await server.client.view(saved.file, { offset: middle });
        const tail = Buffer.from(await new Response(rest.body).arrayBuffer());
        expectThat(tail.equals(bytes.subarray(middle)), 'the second half differs');
        return held(
          rest.resumable ? `${bytes.length} bytes, resumable` : `${bytes.length} bytes, from the start only`,
        );
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  },
  {
    name: 'iterations of a loop count for the nodes of the prompt',
    async run(server) {
      if (!(await server.catalog()).has('StartLoop')) return absent('has no loops');
      const job = await server.complete({
        1: node('StartLoop', { mode: 'simple', 'mode.num_iterations': 3, cache_iterations: false }),
        2: node('EmptyImage', { width: 32, height: 32, batch_size: 1, color: ['1', 0] }),
        3: node('PreviewImage', { images: ['2', 0] }),
        4: node('EndLoop', {
          output_value: ['2', 0],
          accumulate: true,
          'terminations.termination0': ['3', 0],
        }),
        5: node('SaveImage', { images: ['4', 0], filename_prefix: 'conformance' }),
      });
      const ids = Object.keys(job.nodes).join();
      expectThat(ids === '1,2,3,4,5', `nodes ${ids} were told of`);
      const makers = job.outputs.map(({ nodeId }) => nodeId).join();
      expectThat(makers === '3,3,3,5,5,5', `nodes ${makers} made the outputs`);
      const text = job.nodes['1']?.text;
      expectThat(text === 'Iteration 3 / 3', `the loop ended with ${text ?? 'no text'}`);
      return held(job.outputs[0]?.facts === undefined ? 'files without sizes' : undefined);
    },
  },
  {
    name: 'every digit arrives',
    async run(server) {
      const { jobs } = await server.capabilities();
      if (!jobs) return absent('does not tell the prompt of a job');
      const digits = '18446744073709551615';
      const nodes = plainPicture();
      const text = JSON.stringify(nodes).replace('"batch_size":1', `"batch_size":1,"note":${digits}`);
      const { jobId } = await submitted(server, text);
      await server.finished(jobId);
      const told = (await server.session.sentTextsOf(jobId))?.promptText;
      if (told === undefined) return absent('does not tell the prompt of a job');
      expectThat(told.includes(digits), 'digits were lost');
      return held();
    },
  },
  {
    name: 'the same again comes from the cache',
    async run(server) {
      const nodes = plainPicture();
      await server.complete(nodes);
      const again = await server.complete(nodes);
      expectThat(
        again.nodes['1']?.state === 'cached',
        `node 1 was ${again.nodes['1']?.state ?? 'not told of'}`,
      );
      expectThat(again.outputs.length === 1, `${again.outputs.length} outputs instead of 1`);
      return held();
    },
  },
  {
    name: 'only the chosen output runs',
    async run(server) {
      const nodes: Nodes = {
        ...plainPicture(),
        3: node('SaveImage', { images: ['1', 0], filename_prefix: 'other' }),
      };
      const outcome = await server.run(nodes, { targets: ['3'] }).catch(async (error: unknown) => {
        if (!ServerError.is(error) || !(await server.isStrict())) throw error;
        return { kind: 'refusedByServer' } as const;
      });
      // It must not run the whole workflow instead, which may cost money.
      if (outcome.kind === 'refusedByServer' && (await server.isStrict())) {
        const { running, pending } = await server.client.queue();
        expectThat(running.length + pending.length === 0, 'it was refused, and something runs');
        return absent('takes no choice of outputs, and nothing ran');
      }
      expectThat(outcome.kind === 'submitted', `the run was ${outcome.kind}`);
      const job = await server.finished(outcome.jobId);
      expectThat(job.state === 'completed', `the job ended as ${job.state}: ${job.failure?.message ?? ''}`);
      const makers = job.outputs.map(({ nodeId }) => nodeId);
      if (makers.includes('2')) return absent('runs all outputs whatever is chosen');
      expectThat(makers.join() === '3', `outputs of ${makers.join()}`);
      return held();
    },
  },
  {
    name: 'a good branch runs without a bad one, which is named',
    async run(server) {
      const nodes: Nodes = { ...plainPicture(), 3: node('SaveImage', { filename_prefix: 'bad' }) };
      const outcome = await server.run(nodes);
      expectThat(outcome.kind === 'submitted', `the run was ${outcome.kind}`);
      const job = await server.finished(outcome.jobId);
      expectThat(job.state === 'completed', `the job ended as ${job.state}`);
      expectThat(
        outcome.findings.some(({ nodeId }) => nodeId === '3'),
        'nothing was said of node 3',
      );
      return held();
    },
  },
  {
    name: 'a job that fails says where and why',
    async run(server) {
      const catalog = await server.catalog();
      const id = await server.start(
        catalog.has('SandboxFail')
          ? {
              ...plainPicture(),
              2: node('SandboxFail', { value: ['1', 0], how: 'value' }),
              3: node('SaveImage', { images: ['2', 0], filename_prefix: 'x' }),
            }
          : { 2: node('SaveImage', { images: 'no picture', filename_prefix: `x${newColour()}` }) },
      );
      const job = await server.finished(id);
      expectThat(job.state === 'failed', `the job ended as ${job.state}`);
      const { failure } = job;
      expectThat(failure !== undefined, 'nothing says why');
      const isHere = failure.nodeId === '2';
      // Documented are only type, message and traceback; the node is the last one that ran.
      expectThat(
        isHere || (!failure.nodeId && (await server.isStrict()) && job.nodes['2'] !== undefined),
        `the failure is at node ${failure.nodeId ?? '?'}`,
      );
      return held(`${failure.exceptionType}: ${failure.message}`.slice(0, 60));
    },
  },
  {
    name: 'text that a node shows',
    async run(server) {
      const catalog = await server.catalog();
      if (!catalog.has('PreviewAny') || !catalog.has('PrimitiveString')) return absent('no class PreviewAny');
      const text = `words ${newColour()}`;
      const job = await server.complete({
        1: node('PrimitiveString', { value: text }),
        2: node('PreviewAny', { source: ['1', 0] }),
      });
      expectThat(
        job.texts.some((each) => each.text.includes(text)),
        `texts are ${JSON.stringify(job.texts)}`,
      );
      return held();
    },
  },
  {
    name: 'steps and preview frames',
    async run(server) {
      const catalog = await server.catalog();
      // This would need and load a real model: only the sandbox samples without one.
      if (!catalog.has('SandboxSlow')) return absent('not tried without a model');
      const before = server.previews.length;
      await server.complete(sampling());
      const { jobs } = await server.capabilities();
      if (!jobs && server.previews.length === before)
        return absent('only when the server is started with them');
      expectThat(server.previews.length > before, 'no frame came');
      return held(`${server.previews.length - before} frames`);
    },
  },
  {
    name: 'lists of jobs and history tell the same',
    async run(server) {
      const job = await server.complete(plainPicture());
      const { history } = await server.capabilities();
      if (!history) {
        const detail = await server.client.job(job.id);
        expectThat(detail?.status.state === 'completed', `the job says ${detail?.rawStatus ?? 'nothing'}`);
        return absent('lists no jobs that have ended');
      }
      const { jobs } = await server.client.jobs({ limit: 20 });
      const listed = jobs.find(({ id }) => id === job.id);
      expectThat(listed?.status.state === 'completed', `the list says ${listed?.rawStatus ?? 'nothing'}`);
      const detail = await server.client.job(job.id);
      expectThat(detail?.status.state === 'completed', `the job says ${detail?.rawStatus ?? 'nothing'}`);
      const { dialect } = await server.capabilities();
      if (dialect === 'cloud') return held('list and job');
      const [entry] = await server.history(job.id);
      expectThat(entry?.status.state === 'completed', `history says ${entry?.rawStatus ?? 'nothing'}`);
      return held('list, job and history');
    },
  },
];

async function submitted(server: Parameters<Check['run']>[0], text: string): Promise<{ jobId: string }> {
  const outcome = await server.run({}, {}, WorkflowDocument.of(text));
  expectThat(outcome.kind === 'submitted', `the run was ${outcome.kind}`);
  return outcome;
}

function sampling(): Nodes {
  return {
    1: node('CheckpointLoaderSimple', { ckpt_name: 'v1-5-pruned-emaonly.safetensors' }),
    2: node('CLIPTextEncode', { clip: ['1', 1], text: 'a fox' }),
    3: node('EmptyLatentImage', { width: 128, height: 128, batch_size: 1 }),
    4: node('KSampler', {
      model: ['1', 0],
      positive: ['2', 0],
      negative: ['2', 0],
      latent_image: ['3', 0],
      seed: newColour(),
      steps: 8,
      cfg: 7,
      sampler_name: 'euler',
      scheduler: 'normal',
      denoise: 1,
    }),
    5: node('VAEDecode', { samples: ['4', 0], vae: ['1', 2] }),
    6: node('SaveImage', { images: ['5', 0], filename_prefix: 'conformance' }),
  };
}
