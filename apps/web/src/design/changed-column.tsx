import type { Column } from '../components/data-table.tsx'
import { When } from '../components/when.tsx'

/** When a design was changed, and which version came of it. */
export const changedColumn: Column<{ updated_at: string; version: number }> = {
  key: 'changed',
  title: 'Changed',
  align: 'right',
  sortBy: ({ updated_at }) => updated_at,
  render: ({ updated_at, version }) => (
    <span title={`Version ${version}`}>
      <When at={updated_at} />
    </span>
  ),
}
