import { type PointerEvent, useRef } from 'react'

interface Gestures {
  /** A press that did not move, of any pointer. */
  onTap: (clientX: number) => void
  /** One finger moved sideways. */
  onPan: (byPx: number) => void
  /** Two fingers: the share of what is seen that they leave, below 1 when they move apart, and their middle. */
  onPinch: (factor: number, clientX: number) => void
  /** The last finger of a pan or a pinch is lifted. */
  onEnd: () => void
  /** Moving less is a tap. */
  tapPx: number
}

/**
 * Handlers for an element with `touch-action: pan-y`, so that up and down still scrolls the page. Only sideways
 * movement counts.
 */
export function usePointerGestures({ onTap, onPan, onPinch, onEnd, tapPx }: Gestures) {
  const fingers = useRef(new Map<number, number>())
  const pressed = useRef<{ clientX: number; isTap: boolean }>(undefined)
  const lift = ({ pointerId }: PointerEvent) => {
    const wasDown = fingers.current.delete(pointerId)
    if (wasDown && fingers.current.size === 0 && pressed.current?.isTap === false) onEnd()
  }
  return {
    onPointerDown: ({ pointerId, pointerType, clientX }: PointerEvent) => {
      if (pointerType === 'touch') fingers.current.set(pointerId, clientX)
      pressed.current = { clientX, isTap: fingers.current.size < 2 }
    },
    onPointerMove: ({ pointerId, clientX }: PointerEvent) => {
      const press = pressed.current
      const before = fingers.current.get(pointerId)
      if (press === undefined || before === undefined) return
      if (Math.abs(clientX - press.clientX) >= tapPx) press.isTap = false
      if (press.isTap) return
      const others = [...fingers.current].filter(([id]) => id !== pointerId).map(([, x]) => x)
      fingers.current.set(pointerId, clientX)
      const [other] = others
      if (other === undefined) onPan(clientX - before)
      else if (others.length === 1 && clientX !== other && before !== other) {
        onPinch(Math.abs(before - other) / Math.abs(clientX - other), (clientX + other) / 2)
      }
    },
    onPointerUp: (event: PointerEvent) => {
      const press = pressed.current
      lift(event)
      if (press?.isTap === true && Math.abs(event.clientX - press.clientX) < tapPx) onTap(event.clientX)
    },
    onPointerCancel: lift,
  }
}
