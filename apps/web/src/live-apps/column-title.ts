import { measureTitle } from '@flamegate/contract'

/** The title of a column of a measure; its unit is in each cell. */
export function columnTitle(name: string): string {
  const title = measureTitle(name)
  return title.charAt(0).toUpperCase() + title.slice(1)
}
