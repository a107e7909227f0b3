/** `http_requests_total{method="GET",code="200"}`: the name of one series of a metric. */
export function labelledName(
  name: string,
  labels: Iterable<readonly [name: string, value: string | number | boolean]>,
): string {
  const written = Array.from(labels, ([label, value]) => `${label}=${JSON.stringify(String(value))}`)
  return written.length === 0 ? name : `${name}{${written.join(',')}}`
}
