import { Link } from '@tanstack/react-router'

interface Props {
  of: { id: string; name: string; version: number }
}

/** The version of a variable, a server or a rule, and the way to those before. */
export function VersionLink({ of: { id, name, version } }: Props) {
  return (
    <Link
      to="/design-objects/$objectId/versions"
      params={{ objectId: id }}
      aria-label={`Version ${version} of ${name}`}
      className="text-link"
    >
      <span className="sm:hidden">Version </span>
      {version}
    </Link>
  )
}
