import type { ErrorComponentProps } from '@tanstack/react-router'
import { ProblemNote } from '../components/problem-note.tsx'
import { Page } from './page.tsx'

/** In place of a page inside the shell that could not be shown; the ways to other pages stay. */
export function AppErrorPage({ error }: ErrorComponentProps) {
  return (
    <Page title="This page cannot be shown">
      <ProblemNote error={error} onRetry={() => window.location.reload()} />
    </Page>
  )
}
