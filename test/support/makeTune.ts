/**
 * Makes `src/sandbox/music/tune.m4a` from the formula in `tune.ts`; run by hand, with ffmpeg on the path: `node
 * test/support/runTs.mjs test/support/makeTune.ts`. The tune is encoded three times in a row and the middle one is
 * kept, so that the encoder has settled and the last fragment leads into the first one.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fragmentCount, fragmentSamples, tuneRate, tuneSample } from './tune';

const target = 'src/sandbox/music/tune.m4a';
const folder = mkdtempSync(path.join(tmpdir(), 'tune-'));
const samples = 3 * fragmentCount * fragmentSamples;

const pcm = new Float32Array(samples * 2);
for (let at = 0; at < samples; at += 1) pcm.set(tuneSample(at), at * 2);
writeFileSync(path.join(folder, 'tune.f32'), new Uint8Array(pcm.buffer));
const words = (line: string): string[] => line.split(' ');
execFileSync('ffmpeg', [
  ...words(`-loglevel error -f f32le -ar ${tuneRate} -ac 2 -i`),
  path.join(folder, 'tune.f32'),
  ...words('-c:a aac -b:a 32k -aac_coder fast -map_metadata -1 -fflags +bitexact -flags:a +bitexact'),
  ...words('-movflags +empty_moov+default_base_moof -use_editlist 0'),
  // A little less than a fragment: the muxer cuts at the first frame that reaches it.
  ...words(`-frag_duration ${Math.floor(((fragmentSamples - 512) / tuneRate) * 1e6)}`),
  path.join(folder, 'whole.mp4'),
]);

const whole = readFileSync(path.join(folder, 'whole.mp4'));
const boxes: { readonly type: string; readonly bytes: Buffer }[] = [];
for (let at = 0; at < whole.length;) {
  const size = whole.readUInt32BE(at);
  boxes.push({ type: whole.toString('latin1', at + 4, at + 8), bytes: whole.subarray(at, at + size) });
  at += size;
}
const heads = boxes.filter(({ type }) => type === 'ftyp' || type === 'moov');
const fragments = boxes.filter(({ type }) => type === 'moof' || type === 'mdat');
const kept = fragments.slice(2 * fragmentCount, 4 * fragmentCount);
writeFileSync(target, Buffer.concat([...heads, ...kept].map(({ bytes }) => bytes)));
rmSync(folder, { recursive: true });
console.log(`${target}: ${boxes.map(({ type, bytes }) => `${type} ${bytes.length}`).join(', ')}`);
