/** A function that makes its result once for each object, and anew when another argument has changed since. */
export function memoizeByObject<K extends object, Rest extends readonly unknown[], R>(
  make: (key: K, ...rest: Rest) => R,
): (key: K, ...rest: Rest) => R {
  const made = new WeakMap<K, { readonly rest: Rest; readonly result: R }>();
  return (key, ...rest) => {
    const known = made.get(key);
    if (known?.rest.every((each, index) => each === rest[index])) return known.result;
    const result = make(key, ...rest);
    made.set(key, { rest, result });
    return result;
  };
}
