const headerBytes = 44;

/** Samples (-1..1, channels interleaved) as a WAV file with 16-bit PCM, which every VS Code plays. */
export function encodeWav(samples: Float32Array, rate: number, channels: number): ArrayBuffer {
  const file = new ArrayBuffer(headerBytes + samples.length * 2);
  const view = new DataView(file);
  const text = (at: number, letters: string): void => {
    for (let index = 0; index < letters.length; index += 1)
      view.setUint8(at + index, letters.charCodeAt(index));
  };
  text(0, 'RIFF');
  view.setUint32(4, file.byteLength - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  for (let at = 0; at < samples.length; at += 1) {
    const value = Math.min(1, Math.max(-1, samples[at] ?? 0));
    view.setInt16(headerBytes + at * 2, Math.round(value * 32_767), true);
  }
  return file;
}
