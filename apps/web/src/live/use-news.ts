import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setTold } from './told.ts'

/** After a refusal; a stream that broke comes again by itself. */
const comeAgainAfterMs = 30_000

/**
 * Listens to a stream of server-sent events that say that there is something new, while the page is seen: then the live
 * answers on it are asked for again. While there is no stream, they are asked for every two seconds.
 * @param path undefined: nothing is new any more
 */
export function useNews(path: string | undefined): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (path === undefined) return undefined
    let close = () => {}
    // A browser has six connections to a server that speaks HTTP/1.1, for all of its tabs.
    const follow = () => {
      close()
      close = document.hidden ? () => {} : listen(path, refresher(queries))
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      close()
    }
  }, [path, queries])
}

function listen(path: string, onNews: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let source: EventSource
  const open = () => {
    source = new EventSource(path)
    source.addEventListener('open', () => setTold(true))
    source.addEventListener('news', onNews)
    source.addEventListener('end', () => {
      setTold(false)
      source.close()
    })
    source.addEventListener('error', () => {
      setTold(false)
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, comeAgainAfterMs)
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    setTold(false)
    source.close()
  }
}

/** Asks for the live answers of the page again; once more at the end when it was to do so meanwhile. */
function refresher(queries: QueryClient): () => void {
  let isAsking = false
  let isOutdated = false
  const refresh = async () => {
    isOutdated = true
    if (isAsking) return
    isAsking = true
    while (isOutdated) {
      isOutdated = false
      // oxlint-disable-next-line no-await-in-loop -- never two at a time
      await queries.refetchQueries({ type: 'active', predicate: ({ meta }) => meta?.isLive === true })
    }
    isAsking = false
  }
  return () => void refresh()
}
