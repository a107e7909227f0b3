import { useMemo, useRef, useState } from 'react'
import { Button } from '../components/button.tsx'
import { ChevronRight, CloseIcon } from '../components/icons.tsx'
import { SearchField } from '../components/search-field.tsx'
import { FlameCanvas } from './flame-canvas.tsx'
import {
  type FlameColumns,
  isWhole,
  layOutTree,
  nodeLabel,
  nodeName,
  pathTo,
  type FlameTree,
} from './flame-tree.ts'
import { formatShare, nodeWords } from './node-words.ts'
import { OriginLegend } from './origin-legend.tsx'
import { matchFunctions, matchShare } from './search.ts'

interface Props {
  graph: FlameColumns
  unit: string
  label: string
  search: string
  onSearch: (words: string) => void
  /** Name of the function that everything shown is below of. */
  root: string | undefined
  onRoot: (name: string | undefined) => void
}

/** An interactive flame graph with search, zoom path, details and legend. */
export function FlameGraph({ graph, unit, label, search, onSearch, root, onRoot }: Props) {
  const tree = useMemo(() => layOutTree(graph), [graph])
  const matches = useMemo(
    () => (search.trim() === '' ? undefined : matchFunctions(tree.functions, search)),
    [tree, search],
  )
  const [place, setPlace] = useState({ tree, zoom: 0, focused: 0 })
  // Another tree has other nodes: what was zoomed means nothing there.
  const { zoom, focused } = place.tree === tree ? place : { zoom: 0, focused: 0 }
  const searchBox = useRef<HTMLInputElement>(null)
  const setZoom = (node: number) => setPlace({ tree, zoom: node, focused: node })

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchField
          label="Find a function"
          value={search}
          onChange={onSearch}
          inputRef={searchBox}
          className="w-72 max-sm:w-full"
        />
        <p aria-live="polite" className="text-muted">
          {matches === undefined ? null : (
            <>
              <strong className="font-semibold text-text">
                {formatShare(matchShare(tree, matches, zoom))}
              </strong>{' '}
              matches{zoom === 0 ? '' : ` below ${nodeName(tree, zoom)}`}
            </>
          )}
        </p>
        {root === undefined ? null : (
          <Button onPress={() => onRoot(undefined)} className="ml-auto max-w-full">
            <span className="truncate">Only below {root}</span>
            <CloseIcon />
          </Button>
        )}
      </div>
      <ZoomPath tree={tree} zoom={zoom} onZoom={setZoom} />
      <FlameCanvas
        tree={tree}
        unit={unit}
        label={label}
        zoom={zoom}
        onZoom={setZoom}
        focused={focused}
        onFocus={(node) => setPlace({ tree, zoom, focused: node })}
        matches={matches}
        onSearch={() => searchBox.current?.focus()}
      />
      <Details tree={tree} node={focused} unit={unit} root={root} onRoot={onRoot} />
      <OriginLegend tree={tree} />
    </div>
  )
}

/** The way from the root to the zoomed frame; every step leads back to it. */
function ZoomPath({ tree, zoom, onZoom }: { tree: FlameTree; zoom: number; onZoom: (node: number) => void }) {
  return (
    <nav aria-label="Zoom" className="overflow-x-auto">
      <ol className="flex min-h-7 items-center gap-0.5 text-sm whitespace-nowrap">
        {pathTo(tree, zoom).map((node) => (
          <li key={node} className="flex items-center gap-0.5">
            {node === 0 ? null : (
              <span className="text-muted">
                <ChevronRight />
              </span>
            )}
            <button
              type="button"
              aria-current={node === zoom ? 'true' : undefined}
              onClick={() => onZoom(node)}
              className="max-w-64 truncate rounded-sm px-1.5 py-0.5 font-mono hover:bg-hover aria-[current]:font-semibold"
            >
              {nodeLabel(tree, node)}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface DetailsProps {
  tree: FlameTree
  node: number
  unit: string
  root: string | undefined
  onRoot: (name: string) => void
}

/** What is known of the frame that was chosen last. Keeps its height, so that nothing jumps. */
function Details({ tree, node, unit, root, onRoot }: DetailsProps) {
  const { name, place, total, self } = nodeWords(tree, node, unit)
  const canFocus = !isWhole(tree, node) && name !== root
  return (
    <div className="flex min-h-16 flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-lg bg-sunken px-4 py-2.5">
      <div className="min-w-0 grow basis-64">
        <p className="font-mono font-medium break-all">{name}</p>
        <p className="text-sm break-all text-muted">{place || 'The whole profile'}</p>
      </div>
      <dl className="flex gap-6 tabular-nums">
        <div>
          <dt className="text-sm text-muted">Total</dt>
          <dd>{total}</dd>
        </div>
        <div>
          <dt className="text-sm text-muted">Self</dt>
          <dd>{self}</dd>
        </div>
      </dl>
      <Button isDisabled={!canFocus} onPress={() => onRoot(name)}>
        Show only below this
      </Button>
    </div>
  )
}
