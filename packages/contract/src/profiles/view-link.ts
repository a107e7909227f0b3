/** A view of a profile: what the address of its page keeps. `labels` are written as `name=value`. */
interface ProfileView {
  view?: 'sandwich' | 'table' | 'timeline' | 'lines' | 'classes'
  group?: string | undefined
  function?: string | undefined
  file?: string | undefined
  root?: string | undefined
  inverted?: boolean
  /** Id of an object of a heap snapshot, and of the snapshot that its classes are compared with. */
  object?: number | undefined
  baseline?: string | undefined
  selection?: {
    sample_type?: string | undefined
    labels?: string[] | undefined
    from_ms?: number | undefined
    to_ms?: number | undefined
  }
}

/** The path of the page that shows a view of a profile. */
export function profileViewLink(profileId: string, { selection = {}, ...view }: ProfileView): string {
  const labels = new URLSearchParams(
    (selection.labels ?? []).map((label): [name: string, value: string] => {
      const equals = label.indexOf('=')
      return [label.slice(0, equals), label.slice(equals + 1)]
    }),
  )
  const words = {
    view: view.view,
    group: view.group,
    function: view.function,
    file: view.file,
    root: view.root,
    inverted: view.inverted === true ? 'true' : undefined,
    object: view.object?.toString(),
    baseline: view.baseline,
    type: selection.sample_type,
    labels: labels.toString() || undefined,
    from: selection.from_ms?.toString(),
    to: selection.to_ms?.toString(),
  }
  const query = new URLSearchParams(
    Object.entries(words).filter((word): word is [string, string] => word[1] !== undefined),
  )
  return `/profiles/${profileId}${query.size === 0 ? '' : `?${query.toString()}`}`
}
