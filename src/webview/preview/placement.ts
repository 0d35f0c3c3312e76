/** Width and height in pixels of the page; of a picture, its own pixels. */
export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** How a picture is laid over an area: its scale, and where its top left corner stands. */
export interface Placement {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

const minimumScale = 0.05;
const maximumScale = 32;

/** Small pictures are enlarged to this at most: beyond it they say more about pixels than about themselves. */
const largestFit = 2;

/** The whole picture, as large as the area allows, in its middle. */
export function fitted(area: Extent, picture: Extent): Placement {
  const scale = Math.min(area.width / picture.width, area.height / picture.height, largestFit);
  return kept(area, picture, { scale, x: 0, y: 0 });
}

/** Another scale; what stands at the point `at` of the area stays there as far as `kept` allows. */
export function zoomed(
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

/** Never out of sight: in the middle where there is room, and without a gap at an edge where there is none. */
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
