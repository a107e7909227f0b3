import { formatQuantity } from '@flamegate/contract'
import { Badge, type Tone } from '../components/badge.tsx'
import { DownloadFile } from '../components/download-file.tsx'
import type { Detail } from './body-view.tsx'
import { pathOf } from './path-of.ts'
import { phases, type Timings } from './phases.ts'
import { Screenshot } from './screenshot.tsx'

/** Everything of an action but its exchanges: what was checked, found and set, how long it took, what the browser showed. */
export function Overview({ detail }: { detail: Detail }) {
  const { assertions, extractors, variables, messages, recorded, exchanges } = detail
  const set = Object.entries(variables)
  return (
    <div className="flex flex-col gap-5">
      {detail.screenshot_file_id === null ? null : <Screenshot fileId={detail.screenshot_file_id} />}
      {detail.trace_file_id === null ? null : (
        <p className="flex flex-wrap items-center gap-3">
          <DownloadFile fileId={detail.trace_file_id} label="Download the trace" />
          <span className="text-sm text-muted">
            Open it with <code>npx playwright show-trace</code>.
          </span>
        </p>
      )}
      {exchanges.length === 0 && recorded === null ? null : (
        <Group title="Timings">
          {[...exchanges.slice(0, shownTimings).entries()].map(([at, exchange]) => (
            <TimingBar
              key={at}
              label={`${exchange.method} ${pathOf(exchange.request_url)}: ${exchange.status ?? 'no answer'}, ${exchange.role}`}
              timings={exchange.timings_ms}
              wholeMs={longest(detail)}
            />
          ))}
          {recorded === null ? null : (
            <TimingBar label="As it was recorded" timings={recorded.timings_ms} wholeMs={longest(detail)} />
          )}
          {exchanges.length + detail.omitted_exchanges > shownTimings ? (
            <p className="text-sm text-muted">
              {exchanges.length + detail.omitted_exchanges - shownTimings} more are in the exported HAR.
            </p>
          ) : null}
        </Group>
      )}
      {assertions.length === 0 ? null : (
        <Group title="Assertions">
          <Lines
            lines={assertions.map(({ id, outcome, message }) => ({
              id,
              tone: outcome === 'passed' ? 'better' : 'worse',
              badge: outcome,
              words: message,
            }))}
          />
        </Group>
      )}
      {extractors.length === 0 ? null : (
        <Group title="Extractors">
          <Lines
            lines={extractors.map(({ id, variable, outcome, value }) => ({
              id,
              tone: outcome === 'found' ? 'better' : outcome === 'default' ? 'caution' : 'worse',
              badge: outcome,
              words: `\${${variable}}${value === null ? '' : ` = ${value}`}`,
            }))}
          />
        </Group>
      )}
      {set.length === 0 ? null : (
        <Group title="Variables that were set">
          <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[minmax(6rem,auto)_minmax(0,1fr)]">
            {set.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="font-mono break-all text-muted">{name}</dt>
                <dd className="font-mono break-all">{value}</dd>
              </div>
            ))}
          </dl>
        </Group>
      )}
      {messages.length === 0 ? null : (
        <Group title="Messages">
          <ul className="flex flex-col gap-1">
            {[...messages.entries()].map(([at, message]) => (
              <li key={at} className="font-mono text-sm break-all">
                {message}
              </li>
            ))}
          </ul>
        </Group>
      )}
    </div>
  )
}

/** Of a page with many resources. */
const shownTimings = 20

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium">{title}</h3>
      {children}
    </div>
  )
}

function Lines({ lines }: { lines: readonly { id: string; tone: Tone; badge: string; words: string }[] }) {
  return (
    <ul className="flex flex-col gap-1.5">
      {lines.map(({ id, tone, badge, words }) => (
        <li key={id} className="flex min-w-0 items-baseline gap-2">
          <Badge tone={tone}>{badge}</Badge>
          <span className="min-w-0 font-mono text-sm break-all">{words}</span>
        </li>
      ))}
    </ul>
  )
}

function longest({ exchanges, recorded }: Detail): number {
  const totals = exchanges.map(({ timings_ms }) => timings_ms.total)
  return Math.max(1, recorded?.timings_ms.total ?? 0, ...totals)
}

function TimingBar(props: { label: string; timings: Timings; wholeMs: number }) {
  const { label, timings, wholeMs } = props
  const own = phases.flatMap((phase) => {
    const ms = timings[phase.key] ?? 0
    return ms > 0 ? [{ ...phase, ms }] : []
  })
  return (
    <div className="flex flex-col gap-1">
      <span className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="min-w-0 break-all">{label}</span>
        <span className="tabular-nums">{formatQuantity(timings.total, 'ms')}</span>
      </span>
      <span aria-hidden="true" className="flex h-3 overflow-hidden rounded-sm bg-sunken">
        {own.map(({ key, color, ms }) => (
          <span key={key} style={{ width: `${(ms / wholeMs) * 100}%`, backgroundColor: color }} />
        ))}
      </span>
      <span className="flex flex-wrap gap-x-3 text-sm text-muted">
        {own.map(({ key, label: phase, ms, color }) => (
          <span key={key} className="flex items-center gap-1">
            <span aria-hidden="true" className="size-2 rounded-sm" style={{ backgroundColor: color }} />
            {phase} {formatQuantity(ms, 'ms')}
          </span>
        ))}
      </span>
    </div>
  )
}
