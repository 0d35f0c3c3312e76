export const batchEnding = '.batch.json';

/** The ending of started batches, in the output folder. */
export const progressEnding = '.batch-run.json';
