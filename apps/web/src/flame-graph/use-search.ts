import { useEffect, useState } from 'react'
import type { FlameTree } from './flame-tree.ts'
import { inTurns } from './in-turns.ts'
import { findMatches, type Matches, matchShare } from './search.ts'

/** What a search finds in a tree, and its share of the zoomed node; undefined without words, and until it is known. */
export function useSearch(
  tree: FlameTree,
  words: string,
  zoom: number,
): { matches: Matches | undefined; share: number | undefined } {
  const [found, setFound] = useState<{ tree: FlameTree; matches: Matches }>()
  const [part, setPart] = useState<{ matches: Matches; zoom: number; share: number }>()
  const search = words.trim()
  const matches = search !== '' && found?.tree === tree ? found.matches : undefined

  useEffect(() => {
    if (search === '') return undefined
    return untilOutdated(findMatches(tree, search), (result) => setFound({ tree, matches: result }))
  }, [tree, search])

  useEffect(() => {
    if (matches === undefined) return undefined
    return untilOutdated(matchShare(tree, matches, zoom), (share) => setPart({ matches, zoom, share }))
  }, [tree, matches, zoom])

  return { matches, share: part !== undefined && part.matches === matches ? part.share : undefined }
}

/** Does work, and tells what came of it, until it is told to stop. */
function untilOutdated<Result>(work: Iterator<void, Result>, tell: (result: Result) => void): () => void {
  const outdated = new AbortController()
  void workAndTell(work, tell, outdated.signal)
  return () => outdated.abort()
}

async function workAndTell<Result>(
  work: Iterator<void, Result>,
  tell: (result: Result) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const result = await inTurns(work, signal)
    if (!signal.aborted) tell(result)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
