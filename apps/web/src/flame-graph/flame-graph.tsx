import { useEffect, useRef, useState } from 'react'
import { Button } from '../components/button.tsx'
import { ChevronRight, CloseIcon } from '../components/icons.tsx'
import { SearchField } from '../components/search-field.tsx'
import { ToggleButton } from '../components/toggle-button.tsx'
import { ChangeLegend } from './change-legend.tsx'
import type { ColorMeaning } from './draw-frames.ts'
import { FlameCanvas, type Zoom, zoomTo } from './flame-canvas.tsx'
import { at, isWhole, nodeLabel, nodeName, pathTo, type FlameTree } from './flame-tree.ts'
import { formatShare, nodeWords } from './node-words.ts'
import { OriginLegend } from './origin-legend.tsx'
import { useSearch } from './use-search.ts'

/** How long after a choice the address tells it: the drawing is there by then, and was not held up by the rest of the page. */
const tellAfterMs = 250

interface Props {
  tree: FlameTree
  unit: string
  label: string
  search: string
  onSearch: (words: string) => void
  /** What is searched, where frames are not functions. */
  searchLabel?: string
  /** Name of the function that everything shown is below of. */
  root?: string | undefined
  /** Where it is absent, nothing else can be shown than what is. */
  onRoot?: (name: string | undefined) => void
  /** Where the address keeps it. */
  zoom?: Zoom | undefined
  onZoom?: (zoom: Zoom) => void
  /** Origins when absent; of the graph of two profiles, what is chosen here, unless the address keeps it. */
  colorsMean?: ColorMeaning
  onColors?: (meaning: ColorMeaning) => void
  /** Where more is told of the function that was chosen. */
  more?: { label: string; open: (functionName: string) => void }
  /** The root is at the bottom. */
  isUpsideDown?: boolean
}

/** An interactive flame graph with search, zoom path, details and legend. */
export function FlameGraph(props: Props) {
  const {
    tree,
    unit,
    label,
    search,
    onSearch,
    root,
    onRoot,
    onZoom,
    onColors,
    more,
    isUpsideDown = false,
  } = props
  const [place, setPlace] = useState({ tree, zoom: zoomTo(tree, 0), focused: 0, isTold: true })
  const [ownColors, setOwnColors] = useState<ColorMeaning>('change')
  const colorsMean = props.colorsMean ?? (tree.sides === undefined ? 'origin' : ownColors)
  // Another tree has other nodes: what was zoomed means nothing there, unless the address says so.
  const own = place.tree === tree ? place : { zoom: zoomTo(tree, 0), focused: 0, isTold: true }
  const zoom = props.zoom === undefined || !own.isTold || isNear(own.zoom, props.zoom) ? own.zoom : props.zoom
  const focused = own.zoom === zoom ? own.focused : zoom.node
  const { matches, share } = useSearch(tree, search, zoom.node)
  const searchBox = useRef<HTMLInputElement>(null)
  const telling = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(telling.current), [])
  // As it is then: what else was chosen meanwhile stays in the address.
  const latest = useRef({ tree, onZoom })
  useEffect(() => {
    latest.current = { tree, onZoom }
  })
  const setZoom = (next: Zoom, nextFocused?: number) => {
    setPlace((before) => ({
      tree,
      zoom: next,
      focused: nextFocused ?? (before.tree === tree ? before.focused : 0),
      isTold: onZoom === undefined,
    }))
    clearTimeout(telling.current)
    if (onZoom === undefined) return
    telling.current = setTimeout(() => {
      if (latest.current.tree === tree) latest.current.onZoom?.(next)
      setPlace((before) => ({ ...before, isTold: true }))
    }, tellAfterMs)
  }
  const zoomOn = (node: number) => setZoom(zoomTo(tree, node), node)

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchField
          label={props.searchLabel ?? 'Find a function'}
          value={search}
          onChange={onSearch}
          inputRef={searchBox}
          className="w-72 max-sm:w-full"
        />
        {tree.sides === undefined ? null : (
          <ToggleButton
            isSelected={colorsMean === 'origin'}
            onChange={(chosen) => {
              const meaning = chosen ? 'origin' : 'change'
              setOwnColors(meaning)
              onColors?.(meaning)
            }}
          >
            Colours by origin
          </ToggleButton>
        )}
        <p aria-live="polite" className="text-muted">
          {share === undefined ? null : (
            <>
              <strong className="font-semibold text-text">{formatShare(share)}</strong> matches
              {zoom.node === 0 ? '' : ` below ${nodeName(tree, zoom.node)}`}
            </>
          )}
        </p>
        {root === undefined || onRoot === undefined ? null : (
          <Button onPress={() => onRoot(undefined)} className="ml-auto max-w-full">
            <span className="truncate">Only below {root}</span>
            <CloseIcon />
          </Button>
        )}
      </div>
      <ZoomPath tree={tree} zoom={zoom.node} onZoom={zoomOn} />
      <FlameCanvas
        tree={tree}
        unit={unit}
        label={label}
        zoom={zoom}
        onZoom={setZoom}
        focused={focused}
        onFocus={(node) => setPlace({ tree, zoom, focused: node, isTold: own.isTold })}
        matches={matches}
        onSearch={() => searchBox.current?.focus()}
        isUpsideDown={isUpsideDown}
        colorsMean={colorsMean}
      />
      <Details tree={tree} node={focused} unit={unit} root={root} onRoot={onRoot} more={more} />
      {colorsMean === 'origin' ? <OriginLegend tree={tree} /> : null}
      {colorsMean === 'change' ? <ChangeLegend /> : null}
    </div>
  )
}

/** Whether two are the same but for what an address rounds. */
function isNear(a: Zoom, b: Zoom): boolean {
  const slack = Math.min(a.span, b.span) / 1000
  return a.node === b.node && Math.abs(a.left - b.left) <= slack && Math.abs(a.span - b.span) <= slack
}

/** Steps of a path that are shown at its end; those before are one. */
const stepsShown = 30

/** The way from the root to the zoomed frame; every step leads back to it. */
function ZoomPath({ tree, zoom, onZoom }: { tree: FlameTree; zoom: number; onZoom: (node: number) => void }) {
  const path = pathTo(tree, zoom)
  const shown = path.length > stepsShown + 1 ? [0, ...path.slice(-stepsShown)] : path
  return (
    <nav aria-label="Zoom" className="overflow-x-auto">
      <ol className="flex min-h-7 items-center gap-0.5 text-sm whitespace-nowrap">
        {shown.map((node, index) => (
          <li key={node} className="flex items-center gap-0.5">
            {node === 0 ? null : (
              <span className="text-muted">
                <ChevronRight />
              </span>
            )}
            {index === 1 && at(tree.parent, node) !== 0 ? <span className="text-muted">…</span> : null}
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
  onRoot: ((name: string) => void) | undefined
  more: Props['more']
}

/** What is known of the frame that was chosen last. Keeps its height, so that nothing jumps. */
function Details({ tree, node, unit, root, onRoot, more }: DetailsProps) {
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
      {more === undefined ? null : (
        <Button isDisabled={isWhole(tree, node)} onPress={() => more.open(name)}>
          {more.label}
        </Button>
      )}
      {onRoot === undefined ? null : (
        <Button isDisabled={!canFocus} onPress={() => onRoot(name)}>
          Show only below this
        </Button>
      )}
    </div>
  )
}
