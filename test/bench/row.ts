/** One line of the table. */
export interface Measurement {
  readonly what: string;
  readonly bar: string;
  /** The measurement, in words for the table. */
  readonly value: string;
  /** A comparison that ran in the same process at the same time. */
  readonly yardstick?: string | undefined;
  /** Missing if the line has no bar, or could not be measured. */
  readonly held?: boolean | undefined;
  /** The same as plain numbers; the unit ends each name. */
  readonly numbers: Readonly<Record<string, number>>;
}

/** Lines that are measured together, in a separate process. */
export interface BenchRow {
  readonly name: string;
  /** Does not measure time, so other rows may run in parallel. */
  readonly untimed?: true;
  /** A row that takes longer than this is stopped, ms; two minutes by default. */
  readonly patience?: number;
  measure(): Promise<readonly Measurement[]> | readonly Measurement[];
}
