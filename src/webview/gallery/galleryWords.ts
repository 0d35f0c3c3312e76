import { countAt } from '../../core/safety/lists';
import { t } from '../../core/safety/localize';
import { weekdayText } from '../../core/safety/timeText';
import type { GalleryKind, GalleryOrder, GalleryOutput, Stars } from '../contract/gallery';

/** The order of outputs, and their ratings. */
export interface Ordered {
  readonly order: GalleryOrder;
  readonly stars: ReadonlyMap<number, Stars>;
}

export function kindName(kind: GalleryKind): string {
  const names: Readonly<Record<GalleryKind, string>> = {
    image: t`Image`,
    video: t`Video`,
    audio: t`Audio`,
    model3d: t`3D model`,
    text: t`Text`,
    other: t`Other file`,
  };
  return names[kind];
}

/** A heading for a day, `yyyy-mm-dd`. */
export function dayName(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return weekdayText(new Date(year, month - 1, date).getTime());
}

/** The heading that outputs have in common. */
export function gallerySection({ id, day, workflow }: GalleryOutput, { order, stars }: Ordered): string {
  if (order === 'workflow') return workflow;
  return order === 'rating' ? String(countAt(stars, id)) : day;
}

/** The heading of a section. */
export function headingText(section: string, order: GalleryOrder): string {
  if (order === 'workflow') return section;
  if (order !== 'rating') return dayName(section);
  return section === '0' ? t`Not rated` : '★'.repeat(Number(section));
}
