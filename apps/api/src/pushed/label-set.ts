import { Problem } from '@flamegate/contract'

/** Labels that say what is known already, or how Pyroscope keeps a profile. */
const ours = new Set(['service_name', 'app_name', 'profile_id'])
const longestTag = 300
const mostTags = 64

export interface LabelSet {
  /** Name of the application, as it stands before the braces. */
  name: string
  labels: ReadonlyMap<string, string>
}

/**
 * Reads `app{region=eu,host=a}`, values with or without quotes.
 * @see https://github.com/grafana/pyroscope/blob/main/api/model/labelset/labelset.go
 * @throws Problem `invalid_input`
 */
export function readLabelSet(text: string): LabelSet {
  const brace = text.indexOf('{')
  const name = (brace === -1 ? text : text.slice(0, brace)).trim()
  if (name === '')
    throw new Problem('invalid_input', 'name: give the name of the application, as app{region=eu}.')
  const inner = brace === -1 ? '' : text.slice(brace + 1).replace(/\}.*$/s, '')
  const labels = new Map<string, string>()
  for (const part of inner.split(',')) {
    const equals = part.indexOf('=')
    const key = part.slice(0, equals).trim()
    if (equals < 1 || key === '') continue
    labels.set(
      key,
      part
        .slice(equals + 1)
        .trim()
        .replace(/^"(.*)"$/s, '$1'),
    )
  }
  return { name, labels }
}

/** Labels as tags of a profile, `name=value`, without those that only say how it is kept. */
export function tagsOf(labels: ReadonlyMap<string, string>): string[] {
  return [...labels]
    .filter(([name, value]) => value !== '' && !ours.has(name) && !name.startsWith('__'))
    .map(([name, value]) => `${name}=${value}`.slice(0, longestTag))
    .slice(0, mostTags)
}
