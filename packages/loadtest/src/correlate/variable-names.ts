/** Names that say nothing of what they name. */
const plainNames =
  /^(?:id|value|content|data|text|key|result|item|name|code|href|uuid|guid|key|no|number)s?$/i

/** A name for the variable of a value: that of its place, or of where it is sent when that says more. */
export function variableNameOf(place: string, use: string | null): string {
  const names = [place, use ?? ''].map(snakeCase).filter((name) => name !== '')
  const [first] = names
  const telling = names.find((name) => !plainNames.test(name))
  if (first !== undefined && plainNames.test(first) && telling !== undefined && !telling.includes(first))
    return `${telling.replace(/(?<=[a-z]{3})s$/, '')}_${first}`
  return telling ?? first ?? 'value'
}

function snakeCase(text: string): string {
  return text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .replaceAll(/^[\d_]+|_+$/g, '')
    .toLowerCase()
    .slice(0, 60)
}

/** The name, or the first with a number that is not taken. */
export function freeVariableName(wanted: string, taken: ReadonlySet<string>): string {
  let free = wanted
  for (let count = 2; taken.has(free); count++) free = `${wanted}_${count}`
  return free
}
