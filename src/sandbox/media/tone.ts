import { seededRandom } from '../drawing/random';

/** A quiet stereo chord with a slow melody: the sandbox's answer to a request for music. */
export function playTune(seed: number, seconds: number, rate: number): readonly [Float32Array, Float32Array] {
  const random = seededRandom(seed);
  const root = 110 * 2 ** (Math.floor(random() * 12) / 12);
  const scale = random() < 0.5 ? [0, 3, 7, 10, 12] : [0, 4, 7, 9, 12];
  const melody = Array.from({ length: 16 }, () => scale[Math.floor(random() * scale.length)] ?? 0);
  const beat = 0.3 + random() * 0.3;
  const length = Math.round(seconds * rate);
  const left = new Float32Array(length);
  const right = new Float32Array(length);
  for (let at = 0; at < length; at += 1) {
    const time = at / rate;
    const note = melody[Math.floor(time / beat) % melody.length] ?? 0;
    const struck = Math.exp(-3 * ((time / beat) % 1));
    const voice = Math.sin(2 * Math.PI * root * 4 * 2 ** (note / 12) * time) * struck * 0.2;
    const chord = scale
      .slice(0, 3)
      .reduce((sum, step) => sum + Math.sin(2 * Math.PI * root * 2 ** (step / 12) * time), 0);
    const fade = Math.min(1, time * 4, (seconds - time) * 4);
    left[at] = (voice + chord * 0.08) * fade;
    right[at] = (voice * 0.7 + chord * 0.1) * fade;
  }
  return [left, right];
}
