import type { AnswerOf, operations } from '@flamegate/contract'
import { useCallback } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'
import { keepCurrentInSight } from '../components/keep-current-in-sight.ts'
import { ClassesView } from '../heap-snapshot/classes-view.tsx'
import { FlameView } from './flame-view.tsx'
import { LinesView } from './lines-view.tsx'
import { SampleFilter } from './sample-filter.tsx'
import { SandwichView } from './sandwich-view.tsx'
import { TableView } from './table-view.tsx'
import { TimelineView } from './timeline-view.tsx'
import { type ChangeSearch, isHeapSnapshot, type ProfileSearch, viewOf, viewsOf } from './view-search.ts'

export type Profile = AnswerOf<typeof operations.getProfile>['profile']

/** What every view of a profile gets: the address says what it shows. */
export interface ViewProps {
  profile: Profile
  search: ProfileSearch
  change: ChangeSearch
}

interface Props {
  profile: Profile
  search: ProfileSearch
  /** `isTyping`: the address before is not one to come back to. */
  onSearch: (search: ProfileSearch, isTyping: boolean) => void
}

const views = {
  flame: FlameView,
  sandwich: SandwichView,
  table: TableView,
  timeline: TimelineView,
  lines: LinesView,
  classes: ClassesView,
} as const

/** The ways to look at a profile, with what they have in common: which samples are looked at. */
export function ProfileViews({ profile, search, onSearch }: Props) {
  const change: ChangeSearch = useCallback(
    (part) => onSearch({ ...search, ...part }, 'search' in part),
    [search, onSearch],
  )
  const isSnapshot = isHeapSnapshot(profile)
  const filter = <SampleFilter profile={profile} search={search} change={change} />
  return (
    <div className="flex flex-col gap-4">
      {isSnapshot ? null : filter}
      <Tabs
        selectedKey={viewOf(search, profile)}
        onSelectionChange={(view) => change({ view: view === 'flame' ? undefined : String(view) })}
        className="flex flex-col gap-4"
      >
        <TabList
          ref={keepCurrentInSight}
          aria-label="View"
          className="-mx-4 flex overflow-x-auto border-b border-line px-3 sm:mx-0 sm:px-0"
        >
          {viewsOf(profile).map(({ id, label }) => (
            <Tab
              key={id}
              id={id}
              className="-mb-px cursor-pointer border-b-2 border-transparent px-3 py-2 whitespace-nowrap text-muted data-focus-visible:outline-offset-[-2px] data-hovered:text-text data-selected:border-accent data-selected:font-medium data-selected:text-text"
            >
              {label}
            </Tab>
          ))}
        </TabList>
        {viewsOf(profile).map(({ id }) => {
          const View = views[id]
          return (
            <TabPanel key={id} id={id} className="flex min-h-64 flex-col gap-6 rounded-sm">
              {/* Objects are no samples: nothing filters them. */}
              {isSnapshot && id === 'flame' ? filter : null}
              <View profile={profile} search={search} change={change} />
            </TabPanel>
          )
        })}
      </Tabs>
    </div>
  )
}
