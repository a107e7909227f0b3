/**
 * Steps of a JSONPath that goes straight on: names, numbers and `*`. Undefined where it has filters, slices or `..`, for which
 * k6 has no like.
 */
export function straightPath(path: string): (string | number)[] | undefined {
  const step =
    /\.([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*|\*)|\[(?:(-?\d{1,9})|(\*)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/y
  if (!path.startsWith('$')) return undefined
  const steps: (string | number)[] = []
  step.lastIndex = 1
  while (step.lastIndex < path.length) {
    const found = step.exec(path)
    if (found === null) return undefined
    const [, name, index, star, single, double] = found
    if (index !== undefined) steps.push(Number(index))
    else steps.push(name ?? star ?? (single ?? double ?? '').replaceAll(/\\(.)/g, '$1'))
  }
  return steps
}
