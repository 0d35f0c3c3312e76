import { describe } from 'vitest';
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
  });
});
