import { type RefObject, useLayoutEffect, useState } from 'react'

/** Inner width and height of an element in CSS pixels; 0 until it is measured. */
export function useElementSize(element: RefObject<HTMLElement | null>): {
  widthPx: number
  heightPx: number
} {
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 })
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return undefined
    const measure = () => setSize({ widthPx: target.clientWidth, heightPx: target.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return size
}
