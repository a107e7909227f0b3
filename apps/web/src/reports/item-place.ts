import { objectsIn, textOf } from '../documents/json.ts'
import type { ReportAnswer } from './report-source.ts'

/** What is known of an item before its values are. */
export interface ItemPlace {
  id: string
  type: string
  /** Empty: the usual one. */
  title: string
  /** Place of its run among those of the report. */
  run: number
}

/** The items of a report, in their order. */
export function itemPlaces(document: ReportAnswer['document']): ItemPlace[] {
  return objectsIn(document['items']).map(({ id, type, title, run }) => ({
    id: textOf(id),
    type: textOf(type),
    title: textOf(title),
    run: typeof run === 'number' ? run : 0,
  }))
}
