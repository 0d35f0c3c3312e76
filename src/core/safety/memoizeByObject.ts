/** A function that makes its result once for each object, and anew when the second argument has changed since. */
export function memoizeByObject<K extends object, R, S = void>(
  make: (key: K, second: S) => R,
): (key: K, second: S) => R {
  const made = new WeakMap<K, { readonly second: S; readonly result: R }>();
  return (key, second) => {
    let known = made.get(key);
    if (!known || known.second !== second) made.set(key, (known = { second, result: make(key, second) }));
    return known.result;
  };
}
