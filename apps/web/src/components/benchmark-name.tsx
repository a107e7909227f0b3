/** A benchmark by its name, with what the uri says beyond it. */
export function BenchmarkName({ name, uri }: { name: string; uri: string }) {
  const place = uri.endsWith(name) ? uri.slice(0, -name.length).replace(/[\s:/.]+$/, '') : uri
  return (
    <span className="block truncate" title={uri}>
      <span className="font-medium">{name}</span>{' '}
      {place === '' ? null : <span className="text-muted">{place}</span>}
    </span>
  )
}
