/** One line of the table. */
export interface Measurement {
  readonly what: string;
  readonly bar: string;
  /** What was measured, in words of the table. */
  readonly value: string;
  /** Something to hold it against that ran in the same process at the same time. */
  readonly yardstick?: string | undefined;
  /** Missing where the line has no bar, or where it could not be measured. */
  readonly held?: boolean | undefined;
  /** The same as plain numbers; the unit ends each name. */
  readonly numbers: Readonly<Record<string, number>>;
}

/** Some lines that are measured together, in a process of their own. */
export interface BenchRow {
  readonly name: string;
  /** No time is taken, so other rows may run meanwhile. */
  readonly untimed?: true;
  /** A row that takes longer than this is given up, ms; two minutes unless told. */
  readonly patience?: number;
  measure(): Promise<readonly Measurement[]> | readonly Measurement[];
}
