import type { Check } from './check';
import { absent, expectThat, held } from './check';
import { newColour, node, plainPicture } from './prompts';

/** What a server reports about itself, without any job. */
export const readingChecks: readonly Check[] = [
  {
    name: 'server says what it is',
    async run(server) {
      const report = await server.session.checkConnection(AbortSignal.timeout(30_000));
      expectThat(report.kind === 'connected', report.kind === 'failed' ? report.problem : '');
      return held(`${report.dialect} ${report.version ?? ''}`.trim());
    },
  },
  {
    name: 'node definitions are read whole',
    async run(server) {
      const catalog = await server.catalog();
      for (const classType of catalog.classTypes) {
        expectThat(catalog.get(classType) !== undefined, `${classType} could not be read`);
      }
      for (const needed of ['EmptyImage', 'SaveImage']) expectThat(catalog.has(needed), `no class ${needed}`);
      return held(`${catalog.size} classes`);
    },
  },
  {
    name: 'event socket opens',
    async run(server) {
      const release = await server.session.tracker.ready(AbortSignal.timeout(10_000));
      const { kind } = server.session.tracker.state.stream;
      release();
      expectThat(kind === 'open', `the socket is ${kind}`);
      return held();
    },
  },
  {
    name: 'unknown job is unknown',
    async run(server) {
      const job = await server.client.job('00000000-0000-4000-8000-000000000000');
      expectThat(job === undefined, 'the server knows a job that never was');
      return held();
    },
  },
  {
    name: 'upload of a picture, used by a run',
    async run(server) {
      const catalog = await server.catalog();
      if (!catalog.has('LoadImage')) return absent('no class LoadImage');
      const made = await server.complete(plainPicture());
      const picture = await bytesOf(server, made.outputs[0]);
      const stored = await server.client.uploadImage({ filename: 'conformance.png', bytes: picture });
      const again = await server.client.uploadImage({ filename: 'conformance.png', bytes: picture });
      expectThat(again.name === stored.name, `the same bytes became ${stored.name} and ${again.name}`);
      const name = stored.subfolder === '' ? stored.name : `${stored.subfolder}/${stored.name}`;
      await server.complete({
        1: node('LoadImage', { image: name }),
        2: node('SaveImage', { images: ['1', 0], filename_prefix: `conformance-${newColour()}` }),
      });
      return held(stored.name);
    },
  },
  {
    name: 'upload of a mask over a picture',
    async run(server) {
      const catalog = await server.catalog();
      if (!catalog.has('LoadImageMask')) return absent('no class LoadImageMask');
      const made = await server.complete(plainPicture());
      const picture = await bytesOf(server, made.outputs[0]);
      const original = await server.client.uploadImage({ filename: 'original.png', bytes: picture });
      const mask = await server.client.uploadMask({
        filename: `mask-${newColour()}.png`,
        bytes: picture,
        original: { filename: original.name, subfolder: original.subfolder, type: original.type },
      });
      await server.complete({
        1: node('LoadImageMask', {
          image: mask.subfolder === '' ? mask.name : `${mask.subfolder}/${mask.name}`,
          channel: 'red',
        }),
        2: node('MaskToImage', { mask: ['1', 0] }),
        3: node('SaveImage', { images: ['2', 0], filename_prefix: `conformance-${newColour()}` }),
      });
      return held(mask.name);
    },
  },
];

async function bytesOf(
  server: Parameters<Check['run']>[0],
  file: Parameters<typeof server.client.view>[0] | undefined,
): Promise<Uint8Array> {
  expectThat(file !== undefined, 'the job has no output');
  const { body } = await server.client.view(file);
  return new Uint8Array(await new Response(body).arrayBuffer());
}
