import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { type BuiltCli, buildCli } from '../../support/cliProcess';
import { CliWorld } from './cliWorld';

const chinese = /\p{Script=Han}/u;
let cli: BuiltCli;
beforeAll(async () => {
  cli = await buildCli();
}, 60_000);
afterAll(() => cli.remove());

async function said(locale: string, ...args: string[]): Promise<{ code: number | null; text: string }> {
  const started = cli.start(args, locale);
  const code = await started.ended;
  return { code, text: started.said() };
}

/** Two entries that no server accepts. */
async function faultyWorkflow(): Promise<string> {
  const world = await CliWorld.open();
  const prompt = { 1: { class_type: 'LoadImages', inputs: {} }, 2: { class_type: 'SaveImage' } };
  await writeFile(world.path('w.json'), JSON.stringify(prompt));
  return world.path('w.json');
}

describe('in a Chinese environment, the command line', () => {
  const locale = 'zh_CN.UTF-8';

  it('shows help in Chinese, with the names of commands and options unchanged', async () => {
    const { code, text } = await said(locale, 'run', '--help');
    expect(code).toBe(0);
    expect(text).toContain('comfy-deck run FILE [选项]');
    expect(text).toContain('运行工作流并保存其输出。');
    expect(text).toMatch(/^ {2}--save-temporary +同时保存/m);
  });

  it('reports findings in Chinese, with severities and codes unchanged', async () => {
    const file = await faultyWorkflow();
    const { code, text } = await said(locale, 'validate', '--server', 'sandbox', file);
    expect(code).toBe(1);
    expect(text).toMatch(/w\.json:1:\d+: error unknown-class \(节点 1\): .*LoadImages.*\p{Script=Han}/u);
    expect(text).toMatch(/1 个文件，其中 1 个有问题：\d 个错误，\d 个警告。/);
  });

  it('says in Chinese what is wrong', async () => {
    expect(await said(locale, 'run', 'missing.json')).toEqual({
      code: 1,
      text: 'missing.json 不存在。请指定要运行的工作流文件。\n',
    });
    expect(await said(locale, 'run', 'a.json', '--no-such')).toEqual({
      code: 2,
      text: '未知选项 --no-such。\n请参阅 comfy-deck run --help。\n',
    });
  });

  it('gives programs the same output as everywhere', async () => {
    const file = await faultyWorkflow();
    for (const format of [['--format', 'json'], ['--format=json']]) {
      const args = ['validate', '--server', 'sandbox', file, ...format];
      const there = await said(locale, ...args);
      expect(there.text).not.toMatch(chinese);
      expect(there).toEqual(await said('C', ...args));
    }
    expect((await said(locale, 'run', 'missing.json', '--json')).text).not.toMatch(chinese);
  });
});

describe('elsewhere, the command line', () => {
  it.each(['C', 'en_US.UTF-8', ''])('is English: LANG=%s', async (locale) => {
    const help = await said(locale, '--help');
    expect(help.text).toContain('run a workflow and save its outputs');
    expect(help.text).not.toMatch(chinese);
    const report = await said(locale, 'validate', '--server', 'sandbox', await faultyWorkflow());
    expect(report.text).toMatch(/1 file, 1 with problems: \d errors?, \d warnings?\.\n$/);
    expect(report.text).not.toMatch(chinese);
    expect((await said(locale, 'run', 'missing.json')).text).toContain("missing.json doesn't exist.");
  });
});
