import { Link } from '@tanstack/react-router'
import type { Column } from '../components/data-table.tsx'

/** The version of a variable, a server or a rule, and the way to those before. */
export const versionColumn: Column<{ id: string; name: string; version: number }> = {
  key: 'version',
  title: 'Version',
  align: 'right',
  render: ({ id, name, version }) => (
    <Link
      to="/design-objects/$objectId/versions"
      params={{ objectId: id }}
      aria-label={`Version ${version} of ${name}`}
      className="text-link"
    >
      <span className="sm:hidden">Version </span>
      {version}
    </Link>
  ),
}
