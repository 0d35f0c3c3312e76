import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '../../../../src/core/jobs/job';
import type { SavedFile } from '../../../../src/core/runLife/run';
import { EndNotice } from '../../../../src/host/runs/endNotice';
import { InSight } from '../../../../src/host/platform/inSight';
import { stored } from '../../jobs/observations';
import { TabInputCustom, Uri, setting, tabs, told } from '../../../support/inMemoryVscode';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  told.length = 0;
  setting.value = 'always';
  tabs.length = 0;
});

const log = { error: () => undefined } as never;

async function after(ms: number, act: () => void): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await vi.dynamicImportSettled();
  act();
}

it('is one for runs that end within two seconds of each other', async () => {
  const notice = new EndNotice({ onError: () => undefined, log, sight: new InSight() });
  const end = (): void => notice.ended(stored('completed'), []);
  await after(0, end);
  await after(1_900, end);
  await after(1_900, end);
  await after(2_100, () => expect(told).toHaveLength(1));
  await after(0, end);
  await after(2_100, () => expect(told).toHaveLength(2));
});

it('is not put off for ever by runs that keep ending', async () => {
  const notice = new EndNotice({ onError: () => undefined, log, sight: new InSight() });
  for (let number = 0; number < 9; number++) await after(1_500, () => notice.ended(stored('completed'), []));
  expect(told).toHaveLength(1);
  notice.dispose();
});

it('is left out when notifications are turned off before it is due', async () => {
  const notice = new EndNotice({ onError: () => undefined, log, sight: new InSight() });
  notice.ended(stored('completed'), []);
  notice.ended({ ...stored('lost'), id: 'lost', startedAt: undefined }, []);
  setting.value = 'never';
  await after(9_000, () => expect(told).toEqual([]));
});

it('is one for the runs that a restarted server has forgotten, however long that takes to find out', async () => {
  const notice = new EndNotice({ onError: () => undefined, log, sight: new InSight() });
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

describe('what is in sight already', () => {
  const [one, other] = [stored('completed'), { ...stored('failed'), id: 'other' }];
  const saved: SavedFile = {
    ...{ id: 1, node: '9', key: 'a', kind: 'image' as const },
    ...{ name: 'a.png', location: path.normalize('/out/a.png'), bytes: 4, sha256: 'a' },
  };
  const toldOf = async (sight: InSight, ...ends: readonly Job[]): Promise<readonly string[]> => {
    const notice = new EndNotice({ onError: () => undefined, log, sight });
    for (const job of ends) notice.ended(job, [saved]);
    await after(2_100, () => undefined);
    return [...told];
  };

  it('is not told: a run that some view or panel shows, as long as it does', async () => {
    const sight = new InSight();
    const shows = sight.add((id) => id === one.id);
    expect(await toldOf(sight, one)).toEqual([]);
    expect(await toldOf(sight, one, other), 'the other is out of sight').toHaveLength(1);
    shows.dispose();
    expect(await toldOf(sight, one)).toHaveLength(2);
  });

  it('is not told either if what shows the run is closed after its end', async () => {
    const sight = new InSight();
    const shows = sight.add(() => true);
    const notice = new EndNotice({ onError: () => undefined, log, sight });
    notice.ended(one, [saved]);
    shows.dispose();
    await after(2_100, () => expect(told).toEqual([]));
  });

  it('is not told: a run whose output is the visible file of a group', async () => {
    tabs.push(new TabInputCustom(Uri.file('/out/b.png')));
    expect(await toldOf(new InSight(), one)).toHaveLength(1);
    tabs.push(new TabInputCustom(Uri.file('/out/a.png')));
    expect(await toldOf(new InSight(), one)).toHaveLength(1);
  });
});
