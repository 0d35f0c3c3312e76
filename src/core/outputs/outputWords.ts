import type { MediaFacts, OutputFile } from '../protocol/outputFile';
import { listText, plural, t } from '../safety/localize';
import { tenthsText } from '../safety/timeText';

/** A server's file name as part of a sentence: bounded, on one line. */
export function shownName({ filename }: Pick<OutputFile, 'filename'>): string {
  const name = filename.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim();
  return name.length > 80 ? `${name.slice(0, 79)}…` : name;
}

export function factsText({ width, height, duration, frames }: MediaFacts = {}): string {
  return listText([
    width === undefined || height === undefined ? '' : `${width} × ${height}`,
    duration === undefined ? '' : tenthsText(duration * 1000),
    frames === undefined ? '' : plural(frames, t`1 frame`, t`${frames} frames`),
  ]);
}
