import type { Measurement } from './row';

/** The measurements as a table for the terminal. */
export function table(measurements: readonly Measurement[]): string {
  const cells = measurements.map(({ what, bar, value, yardstick, held }) => [
    held === undefined ? '-' : held ? 'held' : 'MISSED',
    what,
    bar,
    value,
    yardstick ?? '',
  ]);
  const all = [['', 'what', 'bar', 'measured', 'beside it'], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
