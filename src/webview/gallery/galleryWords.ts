import { displayLanguage, t } from '../../core/safety/localize';
import type { GalleryKind } from '../contract/gallery';

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
  return new Date(year, month - 1, date).toLocaleDateString(displayLanguage(), {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  });
}
