/** ` [size=10 threads=2]`, the end of the name of a benchmark that ran with these; nothing when there are none. */
export function parameterSuffix(parameters: readonly (readonly [name: string, value: string])[]): string {
  return parameters.length === 0 ? '' : ` [${parameters.map((pair) => pair.join('=')).join(' ')}]`
}
