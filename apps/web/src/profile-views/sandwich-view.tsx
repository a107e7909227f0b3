import { ApiProblem } from '@flamegate/client'
import { type AnswerOf, formatQuantity, operations } from '@flamegate/contract'
import { useMemo, useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { FlameCanvas, zoomTo } from '../flame-graph/flame-canvas.tsx'
import { layOutTree, nodeName, rowCount } from '../flame-graph/flame-tree.ts'
import { nodeWords } from '../flame-graph/node-words.ts'
import { sideColumns } from './entry-columns.ts'
import { FunctionFinder } from './function-finder.tsx'
import type { ViewProps } from './profile-views.tsx'
import { selectionOf } from './view-search.ts'

type Sandwich = AnswerOf<typeof operations.getFunctionCallers>

/** One function between those that call it, above, and those that it calls, below. */
export function SandwichView(props: ViewProps) {
  const { search, change } = props
  const choose = (name: string) => change({ function: name, search: undefined })
  if (search.function === undefined) {
    return (
      <>
        <p className="text-muted">Choose the function whose callers and callees to see.</p>
        <FunctionFinder {...props} onChoose={choose} />
      </>
    )
  }
  return <ChosenFunction {...props} functionName={search.function} />
}

function ChosenFunction({ profile, search, change, functionName }: ViewProps & { functionName: string }) {
  const query = useAnswer(
    operations.getFunctionCallers,
    {
      profile_id: profile.id,
      function_name: functionName,
      depth: 60,
      min_percent: 0.1,
      max_entries: 3000,
      ...selectionOf(search),
    },
    { keepPrevious: true },
  )
  const chooseAnother = (
    <Button onPress={() => change({ function: undefined })}>Choose another function</Button>
  )
  if (query.error instanceof ApiProblem && query.error.code === 'function_not_found') {
    return <EmptyState title={`${functionName} is not in this profile`}>{chooseAnother}</EmptyState>
  }
  return (
    <Answer query={query} skeleton={<SkeletonBlock height="32rem" />}>
      {(sandwich) => (
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-lg bg-sunken px-4 py-2.5">
            <div className="min-w-0 grow basis-64">
              <h2 className="font-mono font-medium break-all">{sandwich.function_name}</h2>
              <p className="text-sm text-muted tabular-nums">
                total {share(sandwich.total_value, sandwich.total_percent, sandwich.unit)}, self{' '}
                {share(sandwich.self_value, sandwich.self_percent, sandwich.unit)}
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              <Button
                onPress={() => change({ view: 'lines', function: sandwich.function_name, file: undefined })}
              >
                Lines
              </Button>
              <Button
                onPress={() =>
                  change({ view: undefined, root: sandwich.function_name, zoom: undefined, part: undefined })
                }
              >
                Flame graph
              </Button>
              {chooseAnother}
            </div>
          </div>
          <Side sandwich={sandwich} side="callers" onCenter={(name) => change({ function: name })} />
          <Side sandwich={sandwich} side="callees" onCenter={(name) => change({ function: name })} />
        </div>
      )}
    </Answer>
  )
}

interface SideProps {
  sandwich: Sandwich
  side: 'callers' | 'callees'
  onCenter: (name: string) => void
}

function Side({ sandwich, side, onCenter }: SideProps) {
  const tree = useMemo(() => layOutTree(sideColumns(sandwich, side)), [sandwich, side])
  const [place, setPlace] = useState({ tree, zoom: zoomTo(tree, 0), focused: 0 })
  // Another tree has other nodes.
  const { zoom, focused } = place.tree === tree ? place : { zoom: zoomTo(tree, 0), focused: 0 }
  const omitted = side === 'callers' ? sandwich.omitted_callers : sandwich.omitted_callees
  const words = nodeWords(tree, focused, sandwich.unit)
  const title = side === 'callers' ? 'Callers' : 'Callees'
  if (rowCount(tree) === 1) {
    return (
      <section aria-label={title}>
        <p className="rounded-lg border border-dashed border-line-strong/60 px-4 py-3 text-muted">
          {side === 'callers' ? 'Nothing calls it.' : 'It calls nothing.'}
        </p>
      </section>
    )
  }
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 grow basis-64 text-sm break-all">
          <span className="font-semibold">{title}</span>{' '}
          <span className="text-muted tabular-nums">
            {focused === 0
              ? side === 'callers'
                ? 'above, the outermost on top'
                : 'below'
              : `${words.name}: ${words.total}`}
            {omitted === 0 ? '' : `; ${omitted.toLocaleString()} smaller ones are left out`}
          </span>
        </p>
        {focused === 0 ? null : (
          <Button onPress={() => onCenter(nodeName(tree, focused))}>Its callers and callees</Button>
        )}
      </div>
      <FlameCanvas
        tree={tree}
        unit={sandwich.unit}
        label={`${title} of ${sandwich.function_name}`}
        zoom={zoom}
        onZoom={(next) =>
          setPlace((before) => ({ tree, zoom: next, focused: before.tree === tree ? before.focused : 0 }))
        }
        focused={focused}
        onFocus={(node) => setPlace({ tree, zoom, focused: node })}
        matches={undefined}
        isUpsideDown={side === 'callers'}
      />
    </section>
  )
}

function share(value: number, percent: number, unit: string): string {
  return `${formatQuantity(value, unit)} (${percent.toFixed(1)} %)`
}
