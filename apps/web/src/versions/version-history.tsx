import { type ReactNode, useState } from 'react'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonBlock, SkeletonTable } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { moreOf } from '../paged.ts'
import { useComparison, useVersions, type Version, type VersionsSource } from './use-versions.ts'

interface Props<Change> {
  source: VersionsSource<Change>
  mayRestore: boolean
  /** The two that are compared, as the address says; the last change without. */
  compared: { compare?: string | undefined; with?: string | undefined }
  onCompare: (compared: { compare: string; with: string }) => void
  /** How two versions differ: the first of the changes, and how many there are. */
  renderChanges: (changes: readonly Change[], count: number) => ReactNode
  /** Asks before it goes back to a version. */
  renderRestore: (version: number, onClose: () => void) => ReactNode
}

/** Every version of a document; two are compared, and an earlier one is brought back. */
export function VersionHistory<Change>(props: Props<Change>) {
  const { source, mayRestore, compared, onCompare, renderChanges, renderRestore } = props
  const query = useVersions(source)
  const [restored, setRestored] = useState<number>()
  const compare = (from: number, to: number) => onCompare({ compare: String(from), with: String(to) })
  return (
    <>
      <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
        {(versions) => {
          const newest = versions[0]?.version ?? 1
          const [earlier, later] = [Number(compared.compare ?? newest - 1), Number(compared.with ?? newest)]
          return (
            <div className="flex flex-col gap-8">
              <div>
                <VersionTable
                  versions={versions}
                  onChanges={(version) => compare(version - 1, version)}
                  onRestore={mayRestore ? setRestored : undefined}
                />
                <LoadMore {...moreOf(query)} />
              </div>
              {newest === 1 ? null : (
                <Section
                  title={`From version ${earlier} to ${later}`}
                  aside={<TwoVersions newest={newest} from={earlier} to={later} onChange={compare} />}
                >
                  <Comparison source={source} from={earlier} to={later} render={renderChanges} />
                </Section>
              )}
            </div>
          )
        }}
      </Answer>
      {restored === undefined ? null : renderRestore(restored, () => setRestored(undefined))}
    </>
  )
}

interface ComparisonProps<Change> {
  source: VersionsSource<Change>
  from: number
  to: number
  render: Props<Change>['renderChanges']
}

function Comparison<Change>({ source, from, to, render }: ComparisonProps<Change>) {
  return (
    <Answer query={useComparison(source, from, to)} skeleton={<SkeletonBlock height="10rem" />}>
      {({ changes, change_count }) => render(changes ?? [], change_count ?? 0)}
    </Answer>
  )
}

interface TableProps {
  versions: readonly Version[]
  onChanges: (version: number) => void
  onRestore: ((version: number) => void) | undefined
}

function VersionTable({ versions, onChanges, onRestore }: TableProps) {
  const newest = versions[0]?.version
  return (
    <DataTable
      label="Versions"
      rows={versions}
      rowKey={({ version }) => String(version)}
      stacks
      whenEmpty="No versions."
      columns={[
        {
          key: 'version',
          title: 'Version',
          render: ({ version, label }) => (
            <span className="block w-max max-w-60 font-medium">
              {version}
              {label === null ? '' : ` “${label}”`}
            </span>
          ),
        },
        {
          key: 'change',
          title: 'What',
          grow: true,
          render: ({ change }) => (
            <span className="line-clamp-2 break-words" title={change}>
              {change}
            </span>
          ),
        },
        {
          key: 'by',
          title: 'By',
          render: ({ author_email, author_client }) => (
            <span className="block max-w-52 truncate" title={`${author_email} (${author_client})`}>
              {author_email ?? 'somebody who left'}
            </span>
          ),
        },
        { key: 'when', title: 'When', render: ({ created_at }) => <When at={created_at} /> },
        {
          key: 'actions',
          title: 'Actions',
          align: 'right',
          render: ({ version }) => (
            <span className="flex justify-end gap-2">
              {version === 1 ? null : (
                <Button aria-label={`Changes of version ${version}`} onPress={() => onChanges(version)}>
                  Changes
                </Button>
              )}
              {onRestore === undefined || version === newest ? null : (
                <Button aria-label={`Restore… version ${version}`} onPress={() => onRestore(version)}>
                  Restore…
                </Button>
              )}
            </span>
          ),
        },
      ]}
    />
  )
}

interface TwoProps {
  newest: number
  from: number
  to: number
  onChange: (from: number, to: number) => void
}

function TwoVersions({ newest, from, to, onChange }: TwoProps) {
  const choices = Array.from({ length: newest }, (_, index) => ({
    id: String(newest - index),
    label: `Version ${newest - index}`,
  }))
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Select
        label="Earlier version"
        hideLabel
        className="w-36"
        value={String(from)}
        onChange={(id) => onChange(Number(id), to)}
        choices={choices}
      />
      <span className="text-muted">to</span>
      <Select
        label="Later version"
        hideLabel
        className="w-36"
        value={String(to)}
        onChange={(id) => onChange(from, Number(id))}
        choices={choices}
      />
    </span>
  )
}
