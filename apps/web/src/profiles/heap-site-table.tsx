import { type AnswerOf, formatBytes, formatDifference, type operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { Sparkline } from '../charts/sparkline.tsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { DataTable } from '../components/data-table.tsx'

export type SiteTrend = AnswerOf<typeof operations.analyzeHeapTimeSeries>['growing'][number]

interface Props {
  label: string
  sites: readonly SiteTrend[]
  /** The last profile of the series, whose flame graph shows a site. */
  profileId: string
}

const certaintyTones: Readonly<Record<SiteTrend['certainty'], Tone>> = {
  sure: 'worse',
  likely: 'caution',
  possible: 'plain',
}

/** Sites with what they have in use, and how that goes on. */
export function HeapSiteTable({ label, sites, profileId }: Props) {
  return (
    <DataTable
      label={label}
      rows={sites}
      rowKey={({ path, file, line }) => `${path.join(' ')} ${file ?? ''} ${line ?? ''}`}
      whenEmpty="None."
      columns={[
        {
          key: 'site',
          title: 'Site',
          grow: true,
          render: (site) => (
            <>
              <Link
                to="/profiles/$profileId"
                params={{ profileId }}
                search={{ type: 'inuse_space', root: site.function_name }}
                className="row-link block truncate font-mono font-medium"
              >
                {site.function_name}
              </Link>
              <span className="block truncate text-sm text-muted">
                {site.allocator === null ? '' : `by ${site.allocator} · `}
                {placeOf(site)}
              </span>
            </>
          ),
        },
        {
          key: 'shape',
          title: 'In use',
          hideBelow: 'sm',
          render: (site) => <Sparkline values={site.in_use} unit="bytes" />,
        },
        {
          key: 'growth',
          title: 'Growth',
          align: 'right',
          sortBy: (site) => site.growth,
          render: (site) => (
            <>
              <span className="block tabular-nums">{formatDifference(site.growth, 'bytes')}</span>
              <span className="block text-sm text-muted tabular-nums">
                to {formatBytes(site.in_use.at(-1) ?? 0)}
              </span>
            </>
          ),
        },
        {
          key: 'slope',
          title: 'Per hour',
          align: 'right',
          hideBelow: 'sm',
          sortBy: (site) => site.slope_per_hour,
          render: (site) => (
            <>
              <span className="block tabular-nums">{formatDifference(site.slope_per_hour, 'bytes')}</span>
              <span className="block text-sm text-muted tabular-nums">{intervalWords(site)}</span>
            </>
          ),
        },
        {
          key: 'certainty',
          title: 'Certainty',
          render: ({ certainty, growth }) =>
            growth === 0 ? '–' : <Badge tone={certaintyTones[certainty]}>{certainty}</Badge>,
        },
        {
          key: 'allocated',
          title: 'Allocated',
          align: 'right',
          hideBelow: 'lg',
          sortBy: (site) => site.allocated,
          render: ({ allocated }) => (allocated === null ? '–' : formatBytes(allocated)),
        },
        {
          key: 'projected',
          title: 'As long again',
          align: 'right',
          hideBelow: 'lg',
          render: (site) => formatBytes(site.projected_in_use),
        },
      ]}
    />
  )
}

function placeOf({ file, line, origin }: SiteTrend): string {
  if (file === null) return origin
  return `${file.replace('file://', '')}${line === null ? '' : `:${line}`}`
}

function intervalWords({ slope_low_per_hour: low, slope_high_per_hour: high }: SiteTrend): string {
  return low === null || high === null
    ? 'too few for an interval'
    : `${formatDifference(low, 'bytes')} to ${formatDifference(high, 'bytes')}`
}
