import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { FlameTree } from './flame-tree.ts'
import { isOver, type Motion, sightDuring } from './motion.ts'
import { type Sight, within } from './viewport.ts'

/** How long nobody moves it before a sight is one to tell of. */
const restMs = 200

interface SightMotion {
  /** What is drawn now. */
  shown: RefObject<Sight>
  /** Draws with the next frame. */
  redraw: () => void
  /** Goes to a sight at once, and tells of it when it stays there. */
  moveTo: (sight: Sight) => void
}

/**
 * The sight that is drawn. It follows the one that was chosen, over a few frames, and the pointer at once; between, nothing but
 * the canvas changes.
 */
export function useSightMotion(
  tree: FlameTree,
  sight: Sight,
  draw: (shown: Sight, isMoving: boolean) => void,
  onRest: (sight: Sight) => void,
): SightMotion {
  const shown = useRef(sight)
  const motion = useRef<Motion>(undefined)
  const frame = useRef(0)
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ tree, draw, onRest })
  useEffect(() => {
    latest.current = { tree, draw, onRest }
  })

  const redraw = useCallback(() => {
    if (frame.current !== 0) return
    const step = (nowMs: number) => {
      frame.current = 0
      const { current: way } = motion
      if (way !== undefined) {
        shown.current = sightDuring(way, nowMs)
        if (isOver(way, nowMs)) motion.current = undefined
        else frame.current = requestAnimationFrame(step)
      }
      latest.current.draw(shown.current, motion.current !== undefined)
    }
    frame.current = requestAnimationFrame(step)
  }, [])

  const moveTo = useCallback(
    (next: Sight) => {
      motion.current = undefined
      shown.current = within(latest.current.tree, next)
      redraw()
      clearTimeout(rest.current)
      rest.current = setTimeout(() => latest.current.onRest(shown.current), restMs)
    },
    [redraw],
  )

  // What was chosen, or came from the address.
  const { left, span } = sight
  const drawnTree = useRef(tree)
  useEffect(() => {
    const from = shown.current
    if (from.left === left && from.span === span && drawnTree.current === tree) return
    clearTimeout(rest.current)
    if (drawnTree.current === tree && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
      motion.current = { from, to: { left, span }, startMs: performance.now() }
    } else {
      motion.current = undefined
      shown.current = { left, span }
      drawnTree.current = tree
    }
    redraw()
  }, [tree, left, span, redraw])

  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current)
      frame.current = 0
      clearTimeout(rest.current)
    },
    [],
  )
  return { shown, redraw, moveTo }
}
