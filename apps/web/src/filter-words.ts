import { useDeferredValue, useEffect, useState } from 'react'

/**
 * The words of a filter box that the address keeps too: `keep` is told when typing pauses. The box itself is quicker
 * than any address.
 */
export function useFilterWords(
  kept: string | undefined,
  keep: (words: string) => void,
): { words: string; setWords: (words: string) => void; filter: string } {
  const [words, setWords] = useState(kept ?? '')
  const filter = useDeferredValue(words.trim())
  useEffect(() => {
    if (filter !== (kept ?? '')) keep(filter)
  }, [filter, kept, keep])
  return { words, setWords, filter }
}
