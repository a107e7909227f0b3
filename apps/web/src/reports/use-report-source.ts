import { useContext } from 'react'
import { type ReportSource, ReportSourceContext } from './report-source.ts'

/** The report that an item is in. */
export function useReportSource(): ReportSource {
  const source = useContext(ReportSourceContext)
  if (source === undefined) throw new TypeError('It is not in a report')
  return source
}
