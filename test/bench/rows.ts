import type { BenchRow } from './row';
import { agreement } from './rows/agreement';
import { batch } from './rows/batch';
import { bundle } from './rows/bundle';
import { definitions, definitionsHeld } from './rows/definitions';
import { compile, diagnostics } from './rows/diagnostics';
import { events } from './rows/events';
import { gallery } from './rows/gallery';
import { galleryScroll } from './rows/galleryScroll';
import { graph } from './rows/graph';
import { hugeOutput } from './rows/hugeOutput';
import { language } from './rows/language';
import { previews } from './rows/previews';
import { workbench } from './rows/workbench';

/** All measurements, in the order of the table. */
export const rows: readonly BenchRow[] = [
  bundle,
  definitions,
  definitionsHeld,
  diagnostics,
  language,
  compile,
  previews,
  events,
  hugeOutput,
  gallery,
  galleryScroll,
  graph,
  batch,
  workbench,
  agreement,
];
