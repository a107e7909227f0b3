/**
 * Gives the memory of columns back at once, where it would else be kept until garbage is collected: most of what a large
 * profile takes at its worst is what was done with a moment before. They are empty afterwards.
 */
export function letGo(...columns: (Int32Array | Float64Array | Uint8Array)[]): void {
  for (const { buffer } of columns) if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** A longer column, `to`, with the values of one that is let go of. */
export function longer<A extends Int32Array | Float64Array>(from: A, to: A): A {
  to.set(from)
  letGo(from)
  return to
}
