import { describe, expect } from 'vitest';
import { KeptRows } from '../support/keptBatch';
import { test } from '../support/uiTest';

describe('in Chinese', () => {
  test.override({ language: 'zh-cn' });

  test('views, commands, notifications and panels are translated', async ({ workbench }) => {
    const { page } = workbench;
    await workbench.activity('Comfy Deck').click();
    await page.locator('.sidebar .title-label', { hasText: '作业' }).waitFor();
    const welcome = page.locator('.sidebar .welcome-view-content');
    await welcome.filter({ hasText: '选择工作流在何处运行。' }).waitFor();

    await welcome.locator('.monaco-button', { hasText: '使用沙盒' }).click();
    await workbench.statusItem('Sandbox').waitFor();
    await workbench.command('Comfy Deck: 检查连接');
    await workbench.notification('正在运行').waitFor();

    await workbench.command('Comfy Deck: 打开实时预览');
    await workbench.webview().getByText('还没有可显示的内容').waitFor();
    await workbench.command('View: Close All Editors');

    const batch = await KeptRows.start(workbench.path('outputs'), 'lake.json', {
      'KSampler.cfg': ['6', '7'],
      'KSampler.seed': ['11', '12', '13'],
    });
    for (let row = 0; row < 4; row++) batch.save(row, 'png');
    await workbench.openFile(batch.name);
    const sheet = workbench.webview();
    await sheet.getByText('横向').waitFor();
    await sheet.getByText('未运行').first().waitFor();
    await workbench.picture('batch-sheet-chinese');
    await workbench.command('View: Close All Editors');

    await workbench.openFile('text-to-image.json');
    await workbench.command('Comfy Deck: 设置批处理…');
    const panel = workbench.webview();
    await panel.getByRole('button', { name: '添加输入' }).click();
    const cfg = panel.locator('.axis').first();
    await cfg.getByRole('combobox').first().fill('KSampler.cfg');
    await cfg.getByRole('textbox').fill('7, 1000');
    await cfg.getByText('0 到 100 之间的数字，步长 0.1').waitFor();
    await expect.poll(() => cfg.getByRole('alert').textContent()).toContain('1000');
    await workbench.picture('batch-form-chinese');
  });
});
