import { useEffect, useState } from 'react'

/**
 * Words of a field that the address follows, after a moment, so that it can be handed on; and that follow the address when
 * somebody goes back.
 */
export function useTypedWords(
  kept = '',
  onKeep: (words: string) => void,
): [words: string, setWords: (words: string) => void] {
  const [words, setWords] = useState(kept)
  const [seen, setSeen] = useState(kept)
  const [sent, setSent] = useState(kept)
  if (kept !== seen) {
    setSeen(kept)
    // What was sent arrives a little later, when more may have been typed.
    if (kept !== sent) {
      setSent(kept)
      setWords(kept)
    }
  }
  useEffect(() => {
    if (words === sent) return undefined
    const timer = setTimeout(() => {
      setSent(words)
      onKeep(words)
    }, 250)
    return () => clearTimeout(timer)
  }, [words, sent, onKeep])
  return [words, setWords]
}
