import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useElementSize } from '../components/use-element-size.ts'
import { useCanvasColors } from './canvas-colors.ts'
import { type ColorMeaning, drawFrames, rowAt, rowHeightPx, rowTopPx } from './draw-frames.ts'
import { at, type FlameTree, rowCount } from './flame-tree.ts'
import { type Direction, moveFrom } from './keyboard.ts'
import { nodeWords } from './node-words.ts'
import type { Matches } from './search.ts'
import { useGestures } from './use-gestures.ts'
import { useSightMotion } from './use-sight-motion.ts'
import { nodeAt, outermostIn, type Sight, sightOf, zoomedBy } from './viewport.ts'

/** The node that was chosen, and what is seen of it. */
export interface Zoom extends Sight {
  node: number
}

/** All of a node. */
export function zoomTo(tree: FlameTree, node: number): Zoom {
  return { node, ...sightOf(tree, node) }
}

interface Props {
  tree: FlameTree
  unit: string
  /** What the graph is of: its accessible name. */
  label: string
  zoom: Zoom
  onZoom: (zoom: Zoom) => void
  /** Node that the keyboard is at, or that was pressed last. */
  focused: number
  onFocus: (node: number) => void
  matches: Matches | undefined
  /** `/` was pressed. */
  onSearch?: () => void
  /** The root is at the bottom. */
  isUpsideDown?: boolean
  colorsMean?: ColorMeaning
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

const arrowsUpsideDown: typeof arrows = { ...arrows, ArrowUp: 'down', ArrowDown: 'up' }

/** How many times larger a key makes what is in sight. */
const zoomKeys: Readonly<Record<string, number>> = { '+': 2, '=': 2, '-': 0.5 }

/**
 * The frames on a canvas that is as high as what is in sight, so that deep trees cost no more than flat ones.
 * Pointer: hover tells, a press zooms, and `useGestures`. Keys: arrows move, Enter zooms, Escape goes back, plus and minus
 * zoom around where one is, `/` searches.
 */
export function FlameCanvas(props: Props) {
  const { tree, unit, label, zoom, onZoom, focused, onFocus, matches, onSearch } = props
  const { isUpsideDown = false, colorsMean = 'change' } = props
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const { widthPx, heightPx } = useElementSize(scroller)
  const [hover, setHover] = useState<Hover>()
  const [hasFocus, setHasFocus] = useState(false)
  const colors = useCanvasColors(colorsMean)
  const helpId = useId()

  const draw = (shown: Sight, isMoving: boolean) => {
    const { current: element } = canvas
    const context = element?.getContext('2d', { alpha: false }) ?? undefined
    if (context === undefined || element === null || widthPx === 0) return
    const density = window.devicePixelRatio || 1
    const [width, height] = [Math.round(widthPx * density), Math.round(heightPx * density)]
    if (element.width !== width) element.width = width
    if (element.height !== height) element.height = height
    context.setTransform(density, 0, 0, density, 0, 0)
    context.fillStyle = colors.background
    context.fillRect(0, 0, widthPx, heightPx)
    const scrollTopPx = scroller.current?.scrollTop ?? 0
    const edgeRows = [scrollTopPx, scrollTopPx + heightPx - 1].map((px) => rowAt(tree, px, isUpsideDown))
    const viewport = {
      ...shown,
      widthPx,
      firstRow: Math.max(0, Math.min(...edgeRows)),
      endRow: Math.max(...edgeRows) + 1,
    }
    const highlights = {
      zoom: zoom.node,
      hovered: hover?.node,
      focused: hasFocus ? focused : undefined,
      matches,
    }
    drawFrames(context, tree, viewport, scrollTopPx, highlights, colors, isUpsideDown, isMoving)
  }
  const { shown, redraw, moveTo } = useSightMotion(tree, zoom, draw, (sight) =>
    onZoom({ node: outermostIn(tree, zoom.node, sight), ...sight }),
  )
  const gestures = useGestures({ tree, scroller, widthPx, shown, moveTo })

  useEffect(redraw, [
    redraw,
    tree,
    zoom.node,
    focused,
    matches,
    hover?.node,
    hasFocus,
    widthPx,
    heightPx,
    colors,
    isUpsideDown,
  ])

  // What is next to the root is seen first.
  const bottomPx = rowTopPx(tree, 0, isUpsideDown)
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = isUpsideDown ? bottomPx : 0
  }, [bottomPx, isUpsideDown])

  // Keeps the frame that the keyboard is at in sight.
  useEffect(() => {
    const element = scroller.current
    if (element === null || !hasFocus) return
    const topPx = rowTopPx(tree, at(tree.depth, focused), isUpsideDown)
    if (topPx < element.scrollTop) element.scrollTop = topPx
    else if (topPx + rowHeightPx > element.scrollTop + element.clientHeight) {
      element.scrollTop = topPx + rowHeightPx - element.clientHeight
    }
  }, [tree, focused, hasFocus, isUpsideDown])

  const nodeUnder = (event: PointerEvent): Hover | undefined => {
    const element = scroller.current
    if (element === null) return undefined
    const box = element.getBoundingClientRect()
    const xPx = event.clientX - box.left
    const row = rowAt(tree, event.clientY - box.top + element.scrollTop, isUpsideDown)
    const node = nodeAt(tree, { ...shown.current, widthPx }, row, xPx)
    return node === undefined ? undefined : { node, xPx, yPx: event.clientY - box.top }
  }

  const zoomOn = (node: number) => {
    onFocus(node)
    onZoom(zoomTo(tree, node))
  }

  const press = (event: PointerEvent) => {
    gestures.onPointerEnd(event)
    const node = nodeUnder(event)?.node
    if (node !== undefined && event.button === 0 && !gestures.wasDragged()) zoomOn(node)
  }

  const handleKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const direction = isUpsideDown ? arrowsUpsideDown[event.key] : arrows[event.key]
    const factor = zoomKeys[event.key]
    if (direction !== undefined) onFocus(moveFrom(tree, zoom, focused, direction))
    else if (event.key === 'Enter') zoomOn(focused)
    else if (event.key === 'Escape' && !isAll(tree, zoom))
      zoomOn(isPart(tree, zoom) ? zoom.node : at(tree.parent, zoom.node))
    else if (factor !== undefined) {
      const middle = at(tree.start, focused) + at(tree.total, focused) / 2
      const place = Math.min(1, Math.max(0, (middle - zoom.left) / zoom.span))
      const sight = zoomedBy(tree, zoom, factor, place)
      onZoom({ node: outermostIn(tree, zoom.node, sight), ...sight })
    } else if (event.key === '/' && onSearch !== undefined) onSearch()
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
        onScroll={redraw}
        onPointerDown={gestures.onPointerDown}
        onPointerMove={(event) => {
          gestures.onPointerMove(event)
          setHover(event.buttons === 0 ? nodeUnder(event) : undefined)
        }}
        onPointerLeave={() => setHover(undefined)}
        onPointerUp={press}
        onPointerCancel={gestures.onPointerEnd}
        className="max-h-(--flame-height-max) cursor-pointer touch-pan-y overflow-y-auto rounded-lg border border-line bg-surface select-none"
        style={{ height: rowCount(tree) * rowHeightPx + 2 }}
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
        <div aria-hidden="true" style={{ height: rowCount(tree) * rowHeightPx }}>
          <canvas ref={canvas} className="sticky top-0 block" style={{ width: widthPx, height: heightPx }} />
        </div>
      </div>
      <p id={helpId} className="sr-only">
        Arrow keys move between frames, Enter zooms in, Escape zooms out, plus and minus zoom in steps, slash
        searches.
      </p>
      {hover === undefined ? null : <Tooltip tree={tree} unit={unit} hover={hover} widthPx={widthPx} />}
    </div>
  )
}

/** Whether less, or more, is in sight than all of the node that was chosen. */
function isPart(tree: FlameTree, { node, left, span }: Zoom): boolean {
  return left !== at(tree.start, node) || span !== at(tree.total, node)
}

function isAll(tree: FlameTree, zoom: Zoom): boolean {
  return zoom.node === 0 && !isPart(tree, zoom)
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
