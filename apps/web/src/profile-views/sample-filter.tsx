import { formatQuantity, operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { CloseIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import type { ViewProps } from './profile-views.tsx'
import { parseLabels, selectionOf, withLabel } from './view-search.ts'

/** No value of a label is empty. */
const anyValue = ''
/** More would be a page of their own; the table shows all. */
const maxLabels = 4

/** Which samples all views show: the sample type, threads and other labels, and a stretch of time. */
export function SampleFilter({ profile, search, change }: ViewProps) {
  const { from_ms, to_ms } = selectionOf(search)
  const sampleType = search.type ?? profile.default_sample_type ?? 'samples'
  const isPartOfTime = from_ms !== undefined || to_ms !== undefined
  return (
    <div className="grid grid-cols-2 items-center gap-3 empty:hidden sm:flex sm:flex-wrap">
      {profile.sample_types.length > 1 ? (
        <Select
          label="Sample type"
          hideLabel
          className="sm:w-48"
          value={sampleType}
          // Only the default type is known by time.
          onChange={(type) =>
            change({ type, zoom: undefined, part: undefined, from: undefined, to: undefined })
          }
          choices={profile.sample_types.map(({ type, unit, total }) => ({
            id: type,
            label: type,
            note: formatQuantity(total, unit),
          }))}
        />
      ) : (
        <Badge>{sampleType}</Badge>
      )}
      {Object.keys(profile.labels).length === 0 ? null : (
        <LabelFilters profile={profile} search={search} change={change} />
      )}
      {isPartOfTime ? (
        <Button onPress={() => change({ from: undefined, to: undefined, zoom: undefined, part: undefined })}>
          {formatQuantity(from_ms ?? 0, 'ms')} to{' '}
          {to_ms === undefined ? 'the end' : formatQuantity(to_ms, 'ms')}
          <CloseIcon />
          <span className="sr-only">Show all times</span>
        </Button>
      ) : null}
    </div>
  )
}

function LabelFilters({ profile, search, change }: ViewProps) {
  const { data } = useAnswer(operations.listProfileLabels, {
    profile_id: profile.id,
    top_n: 100,
    ...(search.type === undefined ? {} : { sample_type: search.type }),
  })
  const chosen = parseLabels(search.labels)
  const labels = (data?.labels ?? []).toSorted((a, b) => rank(a.name) - rank(b.name))
  return labels.slice(0, maxLabels).map(({ name, values }) => (
    <Select
      key={name}
      label={name}
      hideLabel
      className="sm:w-52"
      value={chosen.get(name) ?? anyValue}
      onChange={(value) =>
        change({
          labels: withLabel(search.labels, name, value === anyValue ? undefined : value),
          zoom: undefined,
          part: undefined,
        })
      }
      choices={[
        { id: anyValue, label: `Any ${name}` },
        ...values.map(({ value, percent }) => ({ id: value, label: value, note: `${percent.toFixed(1)} %` })),
      ]}
    />
  ))
}

/** What threads and processes there are is asked most. */
function rank(name: string): number {
  return ['process', 'thread'].indexOf(name) >= 0 ? 0 : 1
}
