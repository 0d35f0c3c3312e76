import { expect, it } from 'vitest';
import type { Job, JobFile } from '../../../../src/core/jobs/job';
import { previousPicture } from '../../../../src/host/preview/previousPicture';
import { origin, stored } from '../../jobs/observations';

function file(filename: string, more: Partial<JobFile> = {}): JobFile {
  return { filename, subfolder: '', area: 'output', nodeId: '3', media: 'image', index: 0, ...more };
}

function ran(id: string, createdAt: number, outputs: readonly JobFile[], label = origin.label): Job {
  return { ...stored('completed', id), createdAt, outputs, origin: { ...origin, label } };
}

const now = ran('now', 50, [file('now.png')]);
const before = (...jobs: readonly Job[]) =>
  previousPicture([...jobs, now], now, file('now.png'), (_job, { filename }) => filename !== 'gone.png')?.file
    .filename;

it('is that of the same node in the latest earlier run of the workflow', () => {
  const old = ran('old', 10, [file('old.png')]);
  const last = ran('last', 40, [file('other.png', { nodeId: '9' }), file('last.png')]);
  const later = ran('later', 60, [file('later.png')]);
  const another = ran('another', 45, [file('another.png')], 'another.json');
  expect(before(old, last, later, another)).toBe('last.png');
});

it('is missing when no earlier run has one on disk', () => {
  expect(before()).toBeUndefined();
  expect(before(ran('gone', 40, [file('gone.png')]))).toBeUndefined();
  expect(before(ran('sound', 40, [file('a.flac', { media: 'audio' })]))).toBeUndefined();
});

it('is at the same position in a batch', () => {
  const batch = ran('batch', 40, [file('first.png'), file('second.png', { index: 1 })]);
  const second = file('now2.png', { index: 1 });
  expect(previousPicture([batch], now, second, () => true)?.file.filename).toBe('second.png');
});
