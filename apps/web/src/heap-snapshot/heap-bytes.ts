/** The size of all objects of a heap snapshot. */
export function heapBytes({
  sample_types,
}: {
  sample_types: readonly { type: string; total: number }[]
}): number {
  return sample_types.find(({ type }) => type === 'inuse_space')?.total ?? 0
}
