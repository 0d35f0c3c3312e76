import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EndNotice } from '../../../../src/host/runs/endNotice';
import { stored } from '../../jobs/observations';
import { setting, told } from '../toldWindow';

vi.mock('vscode', async () => (await import('../toldWindow')).vscode);

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  told.length = 0;
  setting.value = 'always';
});

async function after(ms: number, act: () => void): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await vi.dynamicImportSettled();
  act();
}

it('is one for runs that end within two seconds of each other', async () => {
  const notice = new EndNotice(() => undefined);
  const end = (): void => notice.ended(stored('completed'), []);
  await after(0, end);
  await after(1_900, end);
  await after(1_900, end);
  await after(2_100, () => expect(told).toHaveLength(1));
  await after(0, end);
  await after(2_100, () => expect(told).toHaveLength(2));
});

it('is not put off for ever by runs that keep ending', async () => {
  const notice = new EndNotice(() => undefined);
  for (let number = 0; number < 9; number++) await after(1_500, () => notice.ended(stored('completed'), []));
  expect(told).toHaveLength(1);
  notice.dispose();
});

it('is left out when notifications are turned off before it is due', async () => {
  const notice = new EndNotice(() => undefined);
  notice.ended(stored('completed'), []);
  notice.ended({ ...stored('lost'), id: 'lost', startedAt: undefined }, []);
  setting.value = 'never';
  await after(9_000, () => expect(told).toEqual([]));
});

it('is one for the runs that a restarted server has forgotten, however long that takes to find out', async () => {
  const notice = new EndNotice(() => undefined);
  for (let number = 0; number < 6; number++) {
    await after(5_000, () =>
      notice.ended({ ...stored('lost'), id: `lost-${number}`, startedAt: undefined }, []),
    );
  }
  await after(8_100, () =>
    expect(told).toEqual(['The server has forgotten 6 runs. It was probably restarted.']),
  );
  notice.dispose();
});
