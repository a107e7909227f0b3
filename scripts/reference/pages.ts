import { configurationPage } from './configuration-page.ts'
import { operationsPage } from './operations-page.ts'
import { problemsPage } from './problems-page.ts'

/** The generated pages: path below the checkout, and content. */
export function referencePages(): { path: string; content: string }[] {
  return [
    { path: 'docs/reference/operations.md', content: operationsPage() },
    { path: 'docs/reference/problems.md', content: problemsPage() },
    { path: 'docs/reference/configuration.md', content: configurationPage() },
  ]
}
