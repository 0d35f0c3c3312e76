import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '../../../src/sandbox/sandbox';
import { type BenchRow, type Measurement, median, ms, startHelper } from '../measure';

const jobs = 100;
const runs = 5;
/** A job that takes no time of its own. */
const workflow = (color: number) => ({
  '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'shot' } },
});

/** A helper: the sandbox. Reports its address. */
export async function serveSandbox(): Promise<void> {
  const { url } = await startSandbox({ dialect: 'local' });
  process.send?.(url);
}

interface History {
  readonly outputs: Readonly<Record<string, { readonly images: readonly { readonly filename: string }[] }>>;
}

/** What a script of a few lines does: posts all jobs, asks until each is done, and fetches its image. */
async function postAndFetch(url: string, folder: string): Promise<void> {
  const ids: string[] = [];
  for (let color = 0; color < jobs; color++) {
    const body = JSON.stringify({ prompt: workflow(color) });
    const response = await fetch(`${url}/prompt`, { method: 'POST', body });
    ids.push(((await response.json()) as { prompt_id: string }).prompt_id);
  }
  for (const id of ids) {
    let done: History | undefined;
    while (!done) {
      done = ((await (await fetch(`${url}/history/${id}`)).json()) as Record<string, History>)[id];
      if (!done) await sleep(20);
    }
    for (const { images } of Object.values(done.outputs)) {
      for (const { filename } of images) {
        const image = await fetch(`${url}/view?filename=${filename}&type=output`);
        await writeFile(path.join(folder, `${id}.png`), Buffer.from(await image.arrayBuffer()));
      }
    }
  }
}

/** The command line in a process of its own. */
async function runBatch(
  url: string,
  folder: string,
): Promise<{ readonly wall: number; readonly cpu: number }> {
  const [file, used] = [path.join(folder, 'many.json'), path.join(folder, 'cpu.json')];
  await writeFile(file, JSON.stringify(workflow(0)));
  // The process itself says at its end how much of a processor it took.
  const atEnd = `import fs from 'node:fs'; process.once('exit', () => fs.writeFileSync(${JSON.stringify(used)}, JSON.stringify(process.cpuUsage())));`;
  const colors = Array.from({ length: jobs }, (_, color) => color).join(',');
  const args = [
    'run',
    file,
    '--server',
    url,
    '--out',
    path.join(folder, 'out'),
    '--set',
    `EmptyImage.color=${colors}`,
  ];
  const start = performance.now();
  const program = ['--import', `data:text/javascript,${encodeURIComponent(atEnd)}`, 'dist/cli.js', ...args];
  const child = spawn(process.execPath, program, { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The batch ended with ${code}.`);
  const wall = performance.now() - start;
  const { user, system } = JSON.parse(await readFile(used, 'utf8')) as NodeJS.CpuUsage;
  return { wall, cpu: (user + system) / 1_000 };
}

async function measureBatch(): Promise<Measurement[]> {
  const bare: number[] = [];
  const ours: { readonly wall: number; readonly cpu: number }[] = [];
  for (let run = 0; run < runs; run++) {
    const [sandbox, url] = await startHelper('serveSandbox');
    const folder = await mkdtemp(path.join(os.tmpdir(), 'comfy-deck-bench-'));
    try {
      const start = performance.now();
      await postAndFetch(String(url), folder);
      bare.push(performance.now() - start);
      ours.push(await runBatch(String(url), folder));
    } finally {
      sandbox.kill();
      await rm(folder, { recursive: true, force: true });
    }
  }
  const [bareMs, oursMs] = [median(bare), median(ours.map(({ wall }) => wall))];
  const rowCpuMs = median(ours.map(({ cpu }) => cpu)) / jobs;
  return [
    {
      what: `${jobs} jobs in one batch of the command line, submit to bytes and records on disk`,
      bar: '< 1.3 x a bare script, <= 10 ms of CPU a row',
      value: `${ms(oursMs)} = ${(oursMs / bareMs).toFixed(2)} x ${ms(bareMs)}; ${ms(rowCpuMs)} of CPU a row`,
      held: oursMs < 1.3 * bareMs && rowCpuMs <= 10,
      numbers: { oursMs, bareMs, rowCpuMs },
    },
  ];
}

export const batch: BenchRow = { name: 'batch', patience: 300_000, measure: measureBatch };
