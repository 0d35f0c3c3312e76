/** Width and height in pixels of the page or, for a picture, its own pixels. */
export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** How a picture is placed in an area: its scale and its top left corner. */
export interface Placement {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

const minimumScale = 0.05;
const maximumScale = 32;

/** The whole picture, as large as the area allows, in the middle. */
export function fitPicture(area: Extent, picture: Extent): Placement {
  const scale = Math.min(area.width / picture.width, area.height / picture.height, maximumScale);
  return kept(area, picture, { scale, x: 0, y: 0 });
}

/** Changes the scale; the point `at` of the area stays in place as far as `kept` allows. */
export function zoomPicture(
  area: Extent,
  picture: Extent,
  from: Placement,
  scale: number,
  at: { readonly x: number; readonly y: number },
): Placement {
  const next = Math.min(maximumScale, Math.max(minimumScale, scale));
  const x = at.x - ((at.x - from.x) * next) / from.scale;
  const y = at.y - ((at.y - from.y) * next) / from.scale;
  return kept(area, picture, { scale: next, x, y });
}

/** Keeps it in sight: in the middle if there is room, and without a gap at an edge if there is not. */
export function kept(area: Extent, picture: Extent, { scale, x, y }: Placement): Placement {
  return {
    scale,
    x: along(area.width, picture.width * scale, x),
    y: along(area.height, picture.height * scale, y),
  };
}

function along(room: number, length: number, at: number): number {
  const left = room - length;
  return left >= 0 ? left / 2 : Math.min(0, Math.max(left, at));
}
