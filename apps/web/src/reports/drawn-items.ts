import { createContext, useCallback, useContext, useEffect, useState } from 'react'

/** Told of each item of a report when it is drawn. */
export const DrawnContext = createContext<(itemId: string) => void>(() => {})

/** Says that an item is drawn, as soon as it is: what its charts draw in effects of their own is done by then. */
export function useDrawn(itemId: string, isDrawn: boolean): void {
  const tell = useContext(DrawnContext)
  useEffect(() => {
    if (isDrawn) tell(itemId)
  }, [tell, itemId, isDrawn])
}

/**
 * Sets `data-ready="true"` on the page when all these items are drawn: whoever prints it waits for that.
 * @returns what items tell that they are drawn
 */
export function useReadyWhenDrawn(itemIds: readonly string[]): (itemId: string) => void {
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(new Set())
  const isReady = itemIds.every((id) => drawn.has(id))
  useEffect(() => {
    if (!isReady) return undefined
    void tellReady()
    return () => {
      delete document.documentElement.dataset['ready']
    }
  }, [isReady])
  return useCallback((itemId) => setDrawn((before) => new Set([...before, itemId])), [])
}

/** Two frames later, because charts are measured first, and drawn then. */
async function tellReady(): Promise<void> {
  await document.fonts.ready
  for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve))
  document.documentElement.dataset['ready'] = 'true'
}
