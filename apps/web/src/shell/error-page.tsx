import type { ErrorComponentProps } from '@tanstack/react-router'
import { ProblemNote } from '../components/problem-note.tsx'
import { BarePage } from './bare-page.tsx'

/** In place of a page that could not be shown. */
export function ErrorPage({ error }: ErrorComponentProps) {
  return (
    <BarePage title="This page cannot be shown">
      <ProblemNote error={error} onRetry={() => window.location.reload()} />
    </BarePage>
  )
}
