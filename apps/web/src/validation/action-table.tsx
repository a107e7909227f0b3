import { formatQuantity } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { IconButton } from '../components/button.tsx'
import { CheckIcon, ChevronDown, ChevronRight, MinusIcon, WarningIcon } from '../components/icons.tsx'
import { actionTitle } from '../virtual-users/action-words.ts'
import { type Axis, axisOf, tickTimes } from './phases.ts'
import { type ActionRow, resultTree, type ShownRow, shownRows } from './result-tree.ts'
import { WaterfallBar } from './waterfall-bar.tsx'

interface Props {
  rows: readonly ActionRow[]
  /** Which to show; what is around them is shown too. */
  fits: (row: ActionRow) => boolean
  /** `sequence` of the one that is looked at. */
  chosen: number | undefined
  whenEmpty: string
}

/** Rows that are in the page at once. */
const shownAtOnce = 300

/** All actions in order, as a tree, with when each was at work. A press on one opens it. */
export function ActionTable({ rows, fits, chosen, whenEmpty }: Props) {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const [count, setCount] = useState(shownAtOnce)
  const tree = useMemo(() => resultTree(rows), [rows])
  const axis = useMemo(() => axisOf(rows), [rows])
  const shown = useMemo(
    () => shownRows(tree, { fits, isFolded: ({ sequence }) => folded.has(sequence) }),
    [tree, fits, folded],
  )
  const toggle = (sequence: number) =>
    setFolded(
      (before) =>
        new Set(
          before.has(sequence) ? [...before].filter((each) => each !== sequence) : [...before, sequence],
        ),
    )
  if (axis === undefined || shown.length === 0) {
    return <p className="rounded-lg border border-line bg-surface px-4 py-6 text-muted">{whenEmpty}</p>
  }
  const manyIterations = new Set(rows.map(({ iteration }) => iteration)).size > 1
  return (
    <div className="@container overflow-hidden rounded-lg border border-line bg-surface">
      <table aria-label="Actions" className="w-full table-fixed border-collapse text-left">
        <thead>
          <tr className="border-b border-line text-sm text-muted">
            <th scope="col" className="px-3 py-2 font-medium">
              Action
            </th>
            <th scope="col" className="w-16 px-2 py-2 text-right font-medium @3xl:w-24">
              Status
            </th>
            <th scope="col" className="w-20 px-2 py-2 text-right font-medium">
              Time
            </th>
            <th scope="col" className="hidden w-24 px-2 py-2 text-right font-medium @3xl:table-cell">
              Sent
            </th>
            <th scope="col" className="hidden w-24 px-2 py-2 text-right font-medium @3xl:table-cell">
              Received
            </th>
            <th scope="col" className="hidden w-[38%] px-3 py-2 font-medium @xl:table-cell">
              <span className="sr-only">When</span>
              <Ticks axis={axis} />
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, count).map((each, index) => (
            <ActionLine
              key={each.row.sequence}
              {...each}
              axis={axis}
              isChosen={each.row.sequence === chosen}
              isFolded={folded.has(each.row.sequence)}
              onToggle={() => toggle(each.row.sequence)}
              heading={
                manyIterations && shown[index - 1]?.row.iteration !== each.row.iteration
                  ? `Iteration ${each.row.iteration}`
                  : undefined
              }
            />
          ))}
        </tbody>
      </table>
      {shown.length > count ? (
        <button
          type="button"
          onClick={() => setCount((before) => before + shownAtOnce)}
          className="w-full border-t border-line px-4 py-2 text-accent hover:bg-hover"
        >
          Show more of {shown.length.toLocaleString()}
        </button>
      ) : null}
    </div>
  )
}

function Ticks({ axis }: { axis: Axis }) {
  const whole = axis.endMs - axis.startMs
  return (
    <span aria-hidden="true" className="relative block h-5">
      {tickTimes(whole)
        .filter((at) => at / whole < 0.92)
        .map((at) => (
          <span
            key={at}
            className="absolute inset-y-0 border-l border-line pl-1 text-xs leading-5 font-normal whitespace-nowrap"
            style={{ left: `${(at / whole) * 100}%` }}
          >
            {at === 0 ? '0' : formatQuantity(Number(at.toPrecision(6)), 'ms')}
          </span>
        ))}
    </span>
  )
}

const outcomes = {
  passed: { icon: <CheckIcon />, tone: 'text-better', words: 'passed' },
  failed: { icon: <WarningIcon />, tone: 'text-worse', words: 'failed' },
  skipped: { icon: <MinusIcon />, tone: 'text-muted', words: 'skipped' },
} as const

interface LineProps extends ShownRow {
  axis: Axis
  isChosen: boolean
  isFolded: boolean
  onToggle: () => void
  heading: string | undefined
}

function ActionLine({ row, depth, hasChildren, axis, isChosen, isFolded, onToggle, heading }: LineProps) {
  const { icon, tone, words } = outcomes[row.outcome]
  const name = actionTitle({ name: row.name, type: row.type })
  return (
    <>
      {heading === undefined ? null : (
        <tr className="border-b border-line bg-sunken">
          <th scope="rowgroup" colSpan={3} className="px-3 py-1 text-sm font-medium text-muted">
            {heading}
          </th>
        </tr>
      )}
      <tr
        className={`relative border-b border-line last:border-b-0 ${isChosen ? 'bg-accent-soft' : 'hover:bg-hover/60'}`}
      >
        <td className="px-3 py-1">
          <span
            className="flex min-w-0 items-center gap-1.5"
            style={{ paddingLeft: `${Math.min(depth, 8) * 1.1}rem` }}
          >
            {hasChildren ? (
              <IconButton
                label={`${isFolded ? 'Unfold' : 'Fold'} ${name}`}
                aria-expanded={!isFolded}
                onPress={onToggle}
                className="z-1 -ml-2 size-7! w-7!"
              >
                {isFolded ? <ChevronRight /> : <ChevronDown />}
              </IconButton>
            ) : null}
            <span className={tone}>
              {icon}
              <span className="sr-only">{words}</span>
            </span>
            <Link
              to="."
              search={(before: Record<string, string>) => ({
                ...before,
                action: row.action_id,
                sequence: String(row.sequence),
                exchange: undefined,
              })}
              resetScroll={false}
              aria-current={isChosen ? 'true' : undefined}
              title={row.failure ?? name}
              className={`row-link truncate ${hasChildren ? 'font-medium' : ''} ${row.outcome === 'skipped' ? 'text-muted' : ''}`}
            >
              {name}
            </Link>
          </span>
          <span className="block @xl:hidden">
            <WaterfallBar row={row} axis={axis} />
          </span>
        </td>
        <td className="px-2 py-1 text-right whitespace-nowrap">
          <Status row={row} />
        </td>
        <td className="px-2 py-1 text-right whitespace-nowrap">
          {row.outcome === 'skipped' ? '' : formatQuantity(row.duration_ms, 'ms')}
        </td>
        <td className="hidden px-2 py-1 text-right whitespace-nowrap @3xl:table-cell">
          {row.sent_bytes === 0 ? '' : formatQuantity(row.sent_bytes, 'bytes')}
        </td>
        <td className="hidden px-2 py-1 text-right whitespace-nowrap @3xl:table-cell">
          {row.received_bytes === 0 ? '' : formatQuantity(row.received_bytes, 'bytes')}
        </td>
        <td className="hidden px-3 py-1 @xl:table-cell">
          <WaterfallBar row={row} axis={axis} />
        </td>
      </tr>
    </>
  )
}

/** The status of the replay, and that of the recording where it was another one. */
function Status({ row: { status, recorded_status: recorded } }: { row: ActionRow }) {
  if (status === null) return null
  if (recorded === null || recorded === status) return status
  return (
    <span title={`${recorded} was recorded`}>
      <del className="text-muted">
        <span className="sr-only">Recorded: </span>
        {recorded}
      </del>{' '}
      <span className="font-medium text-worse">
        <span className="sr-only">now: </span>
        {status}
      </span>
    </span>
  )
}
