/** Path and query of a URL, which tell it apart from others of its host. */
export function pathOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? url : `${parsed.pathname}${parsed.search}`
}
