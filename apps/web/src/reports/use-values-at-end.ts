import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { isRunning } from './is-running.ts'
import type { ReportAnswer } from './report-source.ts'

/** Asks for all numbers of a report once more when its runs have ended. @param queryKey What they all begin with */
export function useValuesAtEnd(report: ReportAnswer | undefined, queryKey: QueryKey): void {
  const queries = useQueryClient()
  const wasLive = useRef(false)
  const isLive = report === undefined ? undefined : isRunning(report)
  useEffect(() => {
    if (isLive === true) wasLive.current = true
    if (isLive !== false || !wasLive.current) return
    wasLive.current = false
    void queries.invalidateQueries({ queryKey })
  }, [isLive, queries, queryKey])
}
