/**
 * Takes parts out of an input, larger ones first, as long as it stays bad and there is time. It gets smaller, not
 * smallest.
 */
export async function minimise(
  bytes: Uint8Array,
  isBad: (bytes: Uint8Array) => boolean | Promise<boolean>,
  budgetMs: number,
): Promise<Uint8Array> {
  const deadline = performance.now() + budgetMs
  let smallest = bytes
  for (let length = Math.ceil(bytes.length / 2); length >= 1; length = Math.floor(length / 2)) {
    for (let from = 0; from < smallest.length;) {
      if (performance.now() > deadline) return smallest
      const shorter = Buffer.concat([smallest.subarray(0, from), smallest.subarray(from + length)])
      if (await isBad(shorter)) smallest = shorter
      else from += length
    }
  }
  return smallest
}
