/** Several pieces of bytes as one value of a statement, which takes them apart by `substring`. */
export interface JoinedBytes {
  all: Buffer
  /** Where each piece begins, counted from 1. */
  starts: number[]
  /** Null: there is none. */
  lengths: (number | null)[]
}

/** Lists of bytes would be sent as text. */
export function joinedBytes(pieces: readonly (Uint8Array | undefined)[]): JoinedBytes {
  let end = 1
  const starts = pieces.map((piece) => (end += piece?.length ?? 0) - (piece?.length ?? 0))
  const lengths = pieces.map((piece) => piece?.length ?? null)
  return { all: Buffer.concat(pieces.filter((piece) => piece !== undefined)), starts, lengths }
}
