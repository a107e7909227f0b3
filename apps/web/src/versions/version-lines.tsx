import { When } from '../components/when.tsx'
import type { Version } from './use-versions.ts'

/** Who made which version, a line each. */
export function VersionLines({ versions }: { versions: readonly Version[] }) {
  return (
    <ul className="text-sm">
      {versions.map(({ version, author_email, author_client, created_at }) => (
        <li key={version}>
          Version {version} by {author_email ?? 'somebody who left'} ({author_client}),{' '}
          <When at={created_at} />
        </li>
      ))}
    </ul>
  )
}
