const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `3.2 GB`, as file managers count. */
export function sizeText(bytes: number): string {
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** step;
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${units[step] ?? 'bytes'}`;
}
