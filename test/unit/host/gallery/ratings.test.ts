import { describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { type RatedOutput, Ratings } from '../../../../src/host/gallery/ratings';

/** What a workspace remembers. */
function memory(kept: Record<string, unknown> = {}): vscode.Memento {
  return {
    keys: () => Object.keys(kept),
    get: (key: string) => kept[key],
    update: (key: string, value: unknown) => {
      kept[key] = value;
      return Promise.resolve();
    },
  } as vscode.Memento;
}

function output(address: string, sha256 = ''): RatedOutput {
  return { file: { toString: () => address } as Partial<vscode.Uri> as vscode.Uri, sha256 };
}

const hash = 'a'.repeat(64);

describe('the stars of outputs', () => {
  it('belong to what an output contains, wherever it is moved, and are kept', async () => {
    const state = memory();
    await new Ratings(state).rate([output('file:///a.png', hash)], 4);
    expect(new Ratings(state).of(output('file:///elsewhere/b.png', hash))).toBe(4);
    expect(new Ratings(state).of(output('file:///a.png', 'b'.repeat(64)))).toBe(0);
  });

  it('belong to the address where no hash is known', async () => {
    const state = memory();
    await new Ratings(state).rate([output('file:///a.png')], 2);
    expect(new Ratings(state).of(output('file:///a.png'))).toBe(2);
    expect(new Ratings(state).of(output('file:///b.png'))).toBe(0);
  });

  it('are one value: a later rating replaces it, and none takes it away', async () => {
    const ratings = new Ratings(memory());
    await ratings.rate([output('file:///a.png', hash)], 5);
    await ratings.rate([output('file:///a.png', hash)], 1);
    expect(ratings.of(output('file:///a.png', hash))).toBe(1);
    await ratings.rate([output('file:///a.png', hash)], 0);
    expect(ratings.isEmpty).toBe(true);
  });

  it('survive what is not theirs', () => {
    expect(new Ratings(memory({ 'gallery.ratings': [['a', 9], 7, ['b']] })).isEmpty).toBe(true);
  });
});
