import { type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import type { FlameTree } from './flame-tree.ts'
import { type Sight, zoomedBy } from './viewport.ts'

interface Gestures {
  tree: FlameTree
  scroller: RefObject<HTMLElement | null>
  widthPx: number
  shown: RefObject<Sight>
  moveTo: (sight: Sight) => void
}

/** A press moves by less than this. */
const pressPx = 4
/** Pixels of a wheel that make twice as large. */
const doublingPx = 240

/**
 * The wheel with Ctrl or ⌘, as which touchpads send a pinch, zooms at the pointer; sideways it moves. Dragging moves; two
 * fingers zoom. Up and down, the page scrolls as everywhere.
 */
export function useGestures({ tree, scroller, widthPx, shown, moveTo }: Gestures) {
  const pointers = useRef(new Map<number, number>())
  const dragged = useRef(false)

  useEffect(() => {
    const element = scroller.current
    if (element === null || widthPx === 0) return undefined
    const handle = (event: WheelEvent) => {
      const isZoom = event.ctrlKey || event.metaKey
      const sidewaysPx = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX
      if (!isZoom && Math.abs(sidewaysPx) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return
      event.preventDefault()
      const { left, span } = shown.current
      if (isZoom) {
        const place = (event.clientX - element.getBoundingClientRect().left) / widthPx
        const factor = 2 ** (-pixelsOf(event, event.deltaY) / doublingPx)
        moveTo(zoomedBy(tree, shown.current, factor, place))
      } else moveTo({ left: left + (pixelsOf(event, sidewaysPx) / widthPx) * span, span })
    }
    // React listens passively, and then the page would zoom too.
    element.addEventListener('wheel', handle, { passive: false })
    return () => element.removeEventListener('wheel', handle)
  }, [tree, scroller, widthPx, shown, moveTo])

  return {
    /** Whether what ends now was a drag rather than a press. */
    wasDragged: () => dragged.current,
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      if (pointers.current.size === 0) dragged.current = false
      pointers.current.set(event.pointerId, event.clientX)
    },
    onPointerMove: (event: PointerEvent) => {
      const before = pointers.current.get(event.pointerId)
      if (before === undefined) return
      const movedPx = event.clientX - before
      if (!dragged.current && Math.abs(movedPx) < pressPx) return
      dragged.current = true
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)
      pointers.current.set(event.pointerId, event.clientX)
      const { left, span } = shown.current
      if (other === undefined) {
        // Outside of the graph it is still the graph that moves.
        event.currentTarget.setPointerCapture(event.pointerId)
        moveTo({ left: left - (movedPx / widthPx) * span, span })
        return
      }
      const [, otherPx] = other
      const boxPx = event.currentTarget.getBoundingClientRect().left
      const [wasPx, isPx] = [Math.abs(before - otherPx), Math.abs(event.clientX - otherPx)]
      moveTo(
        zoomedBy(tree, shown.current, Math.max(1, isPx) / Math.max(1, wasPx), (otherPx - boxPx) / widthPx),
      )
    },
    onPointerEnd: (event: PointerEvent) => {
      pointers.current.delete(event.pointerId)
    },
  }
}

/** https://developer.mozilla.org/docs/Web/API/WheelEvent/deltaMode: pixels, or lines, or pages. */
function pixelsOf({ deltaMode }: WheelEvent, delta: number): number {
  return delta * ([1, 16, 400][deltaMode] ?? 1)
}
