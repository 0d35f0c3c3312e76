import { type Palette, paletteFor } from './palette';
import type { Color, Picture } from './picture';
import { hashText, seededRandom, valueNoise } from './random';

/** The inputs of a picture: the same request always gives the same pixels. */
interface SceneRequest {
  readonly width: number;
  readonly height: number;
  readonly prompt: string;
  readonly seed: number;
  /** Anything else that affects the picture: models, negative prompt, sampler. */
  readonly look: number;
  readonly steps: number;
  readonly cfg: number;
  /** Position in a video, 0 to 1; the light and the clouds move. */
  readonly time?: number;
}

const ridgeCount = 5;

/** Draws a landscape: sky with a light and clouds, ridges that fade into the distance, sometimes water. */
export function drawScene(request: SceneRequest): Picture {
  const { width, height } = request;
  const palette = paletteFor(request.prompt, request.look);
  const random = seededRandom(hashText(`${request.seed} ${request.look}`));
  const data = new Uint8Array(width * height * 3);
  const ridges = ridgesOf(request, palette, random);
  const light = lightOf(request, random);
  const clouds = cloudsOf(request, Math.floor(random() * 0x7fffffff), 0.25 + random() * 0.45);
  const shore = palette.water ? Math.round(height * (0.72 + random() * 0.08)) : height;
  const vividness = 0.72 + 0.5 * Math.tanh(request.cfg / 9);
  const grain = seededRandom(request.seed ^ 0x51ed);
  // Few steps leave noise, as with a real sampler.
  const unrest = 3 + 60 * Math.max(0, 1 - request.steps / 10) ** 2;

  for (let y = 0; y < shore; y += 1) {
    const sky = mixColors(palette.zenith, palette.horizon, Math.min(1, (y / height) * 1.5) ** 1.3);
    for (let x = 0; x < width; x += 1) {
      // The nearest ridge that covers the pixel hides everything behind it; nearer ones may touch its edge.
      let index = ridgeCount - 1;
      while (index >= 0 && y - (ridges[index]?.line[x] ?? height) < 1) index -= 1;
      const ground = ridges[index];
      let color =
        ground === undefined
          ? skyAt(x, y, sky, palette, light, clouds)
          : ridgeColor(ground, (y - (ground.line[x] ?? 0)) / height, palette);
      for (index += 1; index < ridgeCount; index += 1) {
        const ridge = ridges[index];
        const depth = y - (ridge?.line[x] ?? height);
        if (ridge !== undefined && depth > 0) {
          color = mixColors(color, ridgeColor(ridge, depth / height, palette), depth);
        }
      }
      paint(data, (y * width + x) * 3, color, vividness, (grain() - 0.5) * unrest);
    }
  }
  if (palette.stars) addStars(data, request, ridges, random);
  if (shore < height) addWater(data, request, shore, palette);
  return { width, height, channels: 3, data };
}

interface Light {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

function lightOf({ width, height, time = 0 }: SceneRequest, random: () => number): Light {
  const side = Math.min(width, height);
  return {
    x: width * (0.2 + random() * 0.6 + time * 0.12),
    y: height * (0.18 + random() * 0.24 - time * 0.05),
    radius: side * (0.035 + random() * 0.06),
  };
}

function cloudsOf(
  { width, height, steps, time = 0 }: SceneRequest,
  seed: number,
  amount: number,
): (x: number, y: number) => number {
  const noise = valueNoise(seed);
  const scale = 5 / Math.max(width, height);
  // The number of steps moves the clouds a little, so that one more step never gives exactly the same picture.
  const drift = steps * 0.013 + time * 2.5;
  return (x, y) => {
    const u = x * scale + drift;
    const v = y * scale * 2.6;
    const thickness = noise(u, v) * 0.55 + noise(u * 2.1, v * 2.1) * 0.3 + noise(u * 4.3, v * 4.3) * 0.15;
    return Math.max(0, thickness - (1 - amount)) * 1.6;
  };
}

interface Ridge {
  /** The first row of each column. */
  readonly line: Float32Array;
  /** 0 is far away, 1 is near. */
  readonly nearness: number;
  readonly slope: Color;
}

/** From the farthest to the nearest. */
function ridgesOf({ width, height }: SceneRequest, palette: Palette, random: () => number): readonly Ridge[] {
  return Array.from({ length: ridgeCount }, (_, index) => {
    const noise = valueNoise(Math.floor(random() * 0x7fffffff));
    const roughness = (index === 0 ? 6 : 4.5 - index * 0.5) / width;
    const base = height * (0.44 + index * 0.115);
    const swing = height * (0.3 - index * 0.035);
    const line = Float32Array.from({ length: width }, (_unused, x) => {
      const u = x * roughness + index * 9;
      const form = noise(u, 0.5) * 0.66 + noise(u * 2.3, 7.5) * 0.24 + noise(u * 6.1, 3.5) * 0.1;
      return base + (0.5 - form) * swing + noise(u * 22, 11.5) * height * 0.008;
    });
    const nearness = (index + 0.6) / ridgeCount;
    return { line, nearness, slope: mixColors(palette.far, palette.near, nearness ** 1.4) };
  });
}

/** The valleys are misty, and the far ridges are nearly all mist. */
function ridgeColor({ nearness, slope }: Ridge, depth: number, palette: Palette): Color {
  const mist = (1 - nearness) * 0.55 + 0.3 * Math.min(1, depth / 0.16) * (1 - nearness * 0.7);
  return mixColors(slope, palette.horizon, mist);
}

function skyAt(
  x: number,
  y: number,
  sky: Color,
  palette: Palette,
  light: Light,
  clouds: (x: number, y: number) => number,
): Color {
  const distance = Math.hypot(x - light.x, y - light.y) / light.radius;
  const glow = 0.85 / (1 + distance * distance * 0.09);
  const covered = mixColors(sky, palette.horizon, Math.min(0.85, clouds(x, y)));
  const lit = mixColors(covered, palette.light, glow);
  return distance > 1.03 ? lit : mixColors(palette.light, lit, Math.max(0, (distance - 0.97) / 0.06));
}

function addStars(
  data: Uint8Array,
  { width, height }: SceneRequest,
  ridges: readonly Ridge[],
  random: () => number,
): void {
  for (let count = Math.round((width * height) / 900); count > 0; count -= 1) {
    const x = Math.floor(random() * width);
    const y = Math.floor(random() * height * 0.6);
    const brightness = random() ** 3 * 200;
    if (ridges.some(({ line }) => y >= (line[x] ?? 0) - 1)) continue;
    for (let channel = 0; channel < 3; channel += 1) {
      const at = (y * width + x) * 3 + channel;
      data[at] = Math.min(255, (data[at] ?? 0) + brightness);
    }
  }
}

/** Mirrors what is above the shore, with waves that grow toward the viewer. */
function addWater(
  data: Uint8Array,
  { width, height, time = 0 }: SceneRequest,
  shore: number,
  palette: Palette,
): void {
  const depthOf = Math.max(1, height - shore);
  for (let y = shore; y < height; y += 1) {
    const depth = (y - shore) / depthOf;
    const wave = Math.sin((y - shore) ** 0.8 * 1.9 + time * 9) * (0.6 + depth * 5);
    const mirrored = Math.max(
      0,
      Math.min(shore - 1, Math.round(2 * shore - 1 - y * 1 - depth * depthOf * 0.6)),
    );
    const dim = 0.1 + depth * 0.34;
    for (let x = 0; x < width; x += 1) {
      const from = (mirrored * width + Math.max(0, Math.min(width - 1, Math.round(x + wave)))) * 3;
      const to = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        data[to + channel] = (data[from + channel] ?? 0) * (1 - dim) + (palette.near[channel] ?? 0) * dim;
      }
    }
  }
}

function paint(
  data: Uint8Array,
  at: number,
  [red, green, blue]: Color,
  vividness: number,
  noise: number,
): void {
  const gray = 0.3 * red + 0.59 * green + 0.11 * blue;
  data[at] = clamp(gray + (red - gray) * vividness + noise);
  data[at + 1] = clamp(gray + (green - gray) * vividness + noise);
  data[at + 2] = clamp(gray + (blue - gray) * vividness + noise);
}

function mixColors(from: Color, to: Color, share: number): Color {
  return [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  ];
}

function clamp(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value;
}
