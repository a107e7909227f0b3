import { Badge, type Tone } from '../components/badge.tsx'
import { DataTable } from '../components/data-table.tsx'
import { formatValue } from './format-value.ts'
import type { ValuesOf } from './report-source.ts'

type Values = ValuesOf<'web_vitals'>
type Vital = Values['vitals'][number]
type Rating = NonNullable<Vital['rating']>

const ratings: Record<Rating, { words: string; tone: Tone; bar: string }> = {
  good: { words: 'good', tone: 'better', bar: 'bg-better' },
  needs_improvement: { words: 'needs improvement', tone: 'caution', bar: 'bg-caution' },
  poor: { words: 'poor', tone: 'worse', bar: 'bg-worse' },
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the object above
const ratingNames = Object.keys(ratings) as Rating[]

/** What loading pages was like in a real browser: each vital at p75 with its rating, and how many loads were good or not. */
export function WebVitalsItem({ title, values }: { title: string; values: Values }) {
  const { page_loads: loads, is_cut: isCut, vitals, pages } = values
  if (loads === 0) return <p className="text-muted">No user with a browser has left a page yet.</p>
  return (
    <div className="flex flex-col gap-3">
      <p className="break-after-avoid text-sm text-muted">
        75th percentiles of {loads.toLocaleString('en')} page loads in a real browser
        {isCut ? '; later ones were not kept' : ''}.
      </p>
      <ul
        aria-label={`Vitals of ${title}`}
        className="grid grid-cols-[repeat(auto-fill,minmax(16rem,1fr))] gap-3 printed:grid-cols-3 printed:gap-2"
      >
        {vitals.map((vital) => (
          <VitalTile key={vital.vital} vital={vital} />
        ))}
      </ul>
      <DataTable
        label={`Pages of ${title}`}
        rows={pages}
        rowKey={({ page }) => page}
        whenEmpty="No pages."
        columns={[
          {
            key: 'page',
            title: 'Page',
            grow: true,
            render: ({ page }) => <span className="block min-w-32 break-all">{page}</span>,
          },
          {
            key: 'loads',
            title: 'Loads',
            align: 'right',
            render: ({ page_loads: count }) => count.toLocaleString('en'),
          },
          ...vitals.map(({ vital, unit }) => ({
            key: vital,
            title: vital.toUpperCase(),
            align: 'right' as const,
            render: (page: Values['pages'][number]) => {
              const own = page.vitals.find((each) => each.vital === vital)
              return <PageVital value={own?.p75 ?? null} unit={unit} rating={own?.rating ?? null} />
            },
          })),
        ]}
      />
    </div>
  )
}

function VitalTile({ vital }: { vital: Vital }) {
  const { name, unit, p75, rating, count, good_max: goodMax, poor_above: poorAbove } = vital
  return (
    <li className="flex min-w-0 break-inside-avoid flex-col gap-2 rounded-lg border border-line bg-surface px-4 py-3 printed:px-2.5 printed:py-2">
      <h3 className="text-sm text-muted">
        {name} ({vital.vital.toUpperCase()})
      </h3>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-xl font-semibold tabular-nums printed:text-base">{formatValue(p75, unit)}</span>
        {rating === null ? (
          <Badge>not measured</Badge>
        ) : (
          <Badge tone={ratings[rating].tone}>{ratings[rating].words}</Badge>
        )}
      </p>
      <span aria-hidden="true" className="flex h-3 overflow-hidden rounded-sm bg-hover">
        {ratingNames.map((each) => (
          <span
            key={each}
            className={ratings[each].bar}
            style={{ width: `${(100 * vital[each]) / Math.max(1, count)}%` }}
          />
        ))}
      </span>
      <p className="text-sm text-muted">
        {ratingNames.map((each) => `${vital[each]} ${ratings[each].words}`).join(', ')}. Good up to{' '}
        {formatValue(goodMax, unit)}, poor above {formatValue(poorAbove, unit)}.
      </p>
    </li>
  )
}

function PageVital({ value, unit, rating }: { value: number | null; unit: string; rating: Rating | null }) {
  if (rating === null) return '–'
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 rounded-full ${ratings[rating].bar}`} />
      {formatValue(value, unit)}
      {rating === 'good' ? null : <span className="sr-only">, {ratings[rating].words}</span>}
    </span>
  )
}
