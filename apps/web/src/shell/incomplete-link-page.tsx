import { BarePage } from './bare-page.tsx'

/** In place of the page that a link leads to, where its secret was lost on the way. */
export function IncompleteLinkPage({ from }: { from: 'the mail' | 'your invitation' }) {
  return (
    <BarePage title="This link is not complete">
      <p className="text-muted">Open the whole link from {from}, or ask for a new one.</p>
    </BarePage>
  )
}
