import { Link } from '@tanstack/react-router'
import { buttonClass } from '../components/button.tsx'
import { BarePage } from './bare-page.tsx'

export function NotFoundPage() {
  return (
    <BarePage title="There is no page here">
      <p className="text-muted">The address may be mistyped, or what was here has been deleted.</p>
      <Link to="/" className={buttonClass('primary', 'mt-6')}>
        Go to your projects
      </Link>
    </BarePage>
  )
}
