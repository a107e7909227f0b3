import { configurationPage } from './configuration-page.ts'
import { guideTokensPage } from './guide-tokens-page.ts'
import { licencesPage } from './licences-page.ts'
import { operationsPage } from './operations-page.ts'
import { problemsPage } from './problems-page.ts'
import { toolTokensJson, toolTokensPage } from './tool-tokens-page.ts'

/** The generated pages: path below the checkout, and content. */
export function referencePages(): { path: string; content: string }[] {
  return [
    { path: 'docs/reference/operations.md', content: operationsPage() },
    { path: 'docs/reference/problems.md', content: problemsPage() },
    { path: 'docs/reference/configuration.md', content: configurationPage() },
    { path: 'docs/reference/licences.md', content: licencesPage() },
    { path: 'docs/reference/tool-tokens.md', content: toolTokensPage() },
    { path: 'docs/reference/guide-tokens.md', content: guideTokensPage() },
    { path: 'apps/web/src/tool-tokens.json', content: toolTokensJson() },
  ]
}
