import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useCanvasColors } from './canvas-colors.ts'
import { drawFrames, rowHeightPx } from './draw-frames.ts'
import { at, type FlameTree } from './flame-tree.ts'
import { type Direction, moveFrom } from './keyboard.ts'
import { nodeWords } from './node-words.ts'
import { useElementSize } from '../components/use-element-size.ts'
import { nodeAt } from './viewport.ts'

interface Props {
  tree: FlameTree
  unit: string
  /** What the graph is of: its accessible name. */
  label: string
  zoom: number
  onZoom: (node: number) => void
  /** Node that the keyboard is at, or that was pressed last. */
  focused: number
  onFocus: (node: number) => void
  matches: Uint8Array | undefined
  /** `/` was pressed. */
  onSearch: () => void
}

interface Hover {
  node: number
  xPx: number
  yPx: number
}

const arrows: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

/**
 * The frames on a canvas that is as high as what is in sight, so that deep trees cost no more than flat ones.
 * Pointer: hover tells, a press zooms. Keys: arrows move, Enter zooms, Escape goes back, `/` searches.
 */
export function FlameCanvas(props: Props) {
  const { tree, unit, label, zoom, onZoom, focused, onFocus, matches, onSearch } = props
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const { widthPx, heightPx } = useElementSize(scroller)
  const [scrollTopPx, setScrollTop] = useState(0)
  const [hover, setHover] = useState<Hover>()
  const [hasFocus, setHasFocus] = useState(false)
  const colors = useCanvasColors()
  const helpId = useId()

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d') ?? undefined
    if (context === undefined || canvas.current === null || widthPx === 0) return
    const density = window.devicePixelRatio || 1
    canvas.current.width = Math.round(widthPx * density)
    canvas.current.height = Math.round(heightPx * density)
    context.scale(density, density)
    const viewport = {
      zoom,
      widthPx,
      firstRow: Math.floor(scrollTopPx / rowHeightPx),
      endRow: Math.ceil((scrollTopPx + heightPx) / rowHeightPx),
    }
    const highlights = { hovered: hover?.node, focused: hasFocus ? focused : undefined, matches }
    drawFrames(context, tree, viewport, scrollTopPx, highlights, colors)
  }, [tree, zoom, focused, matches, hover?.node, hasFocus, widthPx, heightPx, scrollTopPx, colors])

  // Keeps the frame that the keyboard is at in sight.
  useEffect(() => {
    const element = scroller.current
    if (element === null || !hasFocus) return
    const topPx = at(tree.depth, focused) * rowHeightPx
    if (topPx < element.scrollTop) element.scrollTop = topPx
    else if (topPx + rowHeightPx > element.scrollTop + element.clientHeight) {
      element.scrollTop = topPx + rowHeightPx - element.clientHeight
    }
  }, [tree, focused, hasFocus])

  const nodeUnder = (event: PointerEvent): Hover | undefined => {
    const box = scroller.current?.getBoundingClientRect()
    if (box === undefined) return undefined
    const xPx = event.clientX - box.left
    const row = Math.floor((event.clientY - box.top + scrollTopPx) / rowHeightPx)
    const node = nodeAt(tree, { zoom, widthPx }, row, xPx)
    return node === undefined ? undefined : { node, xPx, yPx: event.clientY - box.top }
  }

  const press = (event: PointerEvent) => {
    const node = nodeUnder(event)?.node
    if (node === undefined || event.button !== 0) return
    onFocus(node)
    onZoom(node)
  }

  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const direction = arrows[event.key]
    if (direction !== undefined) onFocus(moveFrom(tree, zoom, focused, direction))
    else if (event.key === 'Enter') onZoom(focused)
    else if (event.key === 'Escape' && zoom !== 0) {
      const caller = at(tree.parent, zoom)
      onZoom(caller)
      onFocus(caller)
    } else if (event.key === '/') onSearch()
    else return
    event.preventDefault()
  }

  return (
    <div className="relative">
      <div
        ref={scroller}
        role="tree"
        aria-label={label}
        aria-describedby={helpId}
        aria-activedescendant={`${helpId}-${focused}`}
        tabIndex={0}
        onKeyDown={handleKey}
        onFocus={() => setHasFocus(true)}
        onBlur={() => setHasFocus(false)}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        onPointerMove={(event) => setHover(nodeUnder(event))}
        onPointerLeave={() => setHover(undefined)}
        onPointerUp={press}
        className="max-h-[68vh] min-h-40 cursor-pointer overflow-y-auto rounded-lg border border-line bg-surface"
        style={{ height: tree.rows.length * rowHeightPx + 2 }}
      >
        {/* The one frame that the keyboard is at stands in the page for the thousands on the canvas. */}
        <span
          key={focused}
          id={`${helpId}-${focused}`}
          role="treeitem"
          tabIndex={-1}
          aria-selected="true"
          aria-level={at(tree.depth, focused) + 1}
          className="sr-only"
        >
          {describeFrame(tree, focused, unit)}
        </span>
        <div aria-hidden="true" style={{ height: tree.rows.length * rowHeightPx }}>
          <canvas ref={canvas} className="sticky top-0 block" style={{ width: widthPx, height: heightPx }} />
        </div>
      </div>
      <p id={helpId} className="sr-only">
        Arrow keys move between frames, Enter zooms in, Escape zooms out, slash searches.
      </p>
      {hover === undefined ? null : <Tooltip tree={tree} unit={unit} hover={hover} widthPx={widthPx} />}
    </div>
  )
}

function describeFrame(tree: FlameTree, node: number, unit: string): string {
  const { name, total, self } = nodeWords(tree, node, unit)
  return `${name}: total ${total}, self ${self}`
}

function Tooltip({
  tree,
  unit,
  hover,
  widthPx,
}: {
  tree: FlameTree
  unit: string
  hover: Hover
  widthPx: number
}) {
  const { name, place, total, self } = nodeWords(tree, hover.node, unit)
  const isRight = hover.xPx > widthPx / 2
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute z-20 max-w-[min(28rem,80%)] rounded-md border border-line bg-surface px-3 py-2 text-sm shadow-floating"
      style={{
        top: hover.yPx + 18,
        ...(isRight ? { right: Math.max(0, widthPx - hover.xPx + 8) } : { left: hover.xPx + 12 }),
      }}
    >
      <p className="font-mono font-medium break-all">{name}</p>
      <p className="break-all text-muted">{place}</p>
      <p className="tabular-nums">
        total {total}, self {self}
      </p>
    </div>
  )
}
