import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { CannotRun } from '../../support/partResult';
import { packageVsix } from '../../support/vsix';
import { graphTextOf, largestGraphText } from '../files';
import { packageInstantLenses } from '../instantLenses';
import { type Opening, openings } from '../openings';
import type { BenchRow, Measurement } from '../row';
import { median, ms } from '../timing';

const windows = 3;

/** A file of each size; the first of them is the first of its window. */
function files(): Readonly<Record<string, string>> {
  return {
    'usual.json': graphTextOf(25_000),
    'long.json': graphTextOf(174_000),
    'longest.json': largestGraphText(),
    'later.json': graphTextOf(25_000),
  };
}

async function workbenchLines(): Promise<Measurement[]> {
  const texts = files();
  mkdirSync('out', { recursive: true });
  try {
    const made = await openings(packageVsix(path.resolve('out/comfy-deck-bench.vsix')).file, texts, windows);
    const floor = await openings(packageInstantLenses(path.resolve('out/instant-lenses')), texts, windows);
    const of = (file: string) => (each: Opening) => each.file === file;
    return Object.entries(texts).map(([file, text]) =>
      measurement(text.length, made.filter(of(file)), floor.filter(of(file))),
    );
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    const what = 'first lens in the real workbench';
    return [{ what, bar: '-', value: `not measured: ${error.message}`, numbers: {} }];
  }
}

function measurement(length: number, made: readonly Opening[], floor: readonly Opening[]): Measurement {
  const isFirst = made[0]?.isFirst === true;
  const limit = length > 500_000 ? 400 : 150;
  const text = median(made.map((each) => each.text));
  const lens = median(made.map((each) => each.lens));
  const afterText = median(made.map((each) => each.lens - each.text));
  const instant = median(floor.map((each) => each.lens - each.text));
  const instantText = median(floor.map((each) => each.text));
  return {
    what: `first lens of ${isFirst ? 'the first' : 'a later'} file of a window (${Math.round(length / 1000)} KB)`,
    bar: `< ${limit} ms beside a lens that needs no work`,
    value: `${ms(afterText)} after the text (text ${ms(text)})`,
    yardstick: `a lens that needs no work: ${ms(instant)} after the text (text ${ms(instantText)})`,
    held: afterText - instant < limit,
    numbers: {
      textMs: text,
      lensMs: lens,
      lensAfterTextMs: afterText,
      instantTextMs: instantText,
      instantLensAfterTextMs: instant,
    },
  };
}

export const workbench: BenchRow = { name: 'workbench', patience: 900_000, measure: workbenchLines };
