import { Link } from '@tanstack/react-router'
import { type ReactNode, useContext } from 'react'
import { PrintedContext } from '../shell/printed.ts'
import { useReportSource } from './use-report-source.ts'

interface Props {
  runId: string
  className?: string
  children: ReactNode
}

/** Leads to the page of a run, where there is a way to it: who has a link to the report has no account, as a rule. */
export function RunLink({ runId, className = 'text-link', children }: Props) {
  const { projectId, isShared } = useReportSource()
  const isPrinted = useContext(PrintedContext)
  if (isShared && !isPrinted) return <span>{children}</span>
  return (
    <Link
      to="/projects/$projectId/bench-results/$benchResultId"
      params={{ projectId, benchResultId: runId }}
      className={className}
    >
      {children}
    </Link>
  )
}
