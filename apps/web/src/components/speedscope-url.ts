/**
 * The page of speedscope.app that fetches and shows the file of a link
 * (https://github.com/jlfwong/speedscope#usage). The reader's browser fetches it, from a page with https: so from an
 * address with https only. Undefined for others.
 */
export function speedscopeUrl(downloadUrl: string, title: string): string | undefined {
  if (!downloadUrl.startsWith('https:')) return undefined
  return `https://www.speedscope.app/#profileURL=${encodeURIComponent(downloadUrl)}&title=${encodeURIComponent(title)}`
}
