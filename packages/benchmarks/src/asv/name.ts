/**
 * `suite.time_join(10, up)`: with the parameters as `asv run` prints them, where files have Python's `repr` of each.
 * @see https://github.com/airspeed-velocity/asv/blob/main/asv/results.py, `_format_param_value`
 */
export function asvName(benchmark: string, parameters: string[]): string {
  return parameters.length === 0 ? benchmark : `${benchmark}(${parameters.map(printed).join(', ')})`
}

/** `'up'` and `<class 'int'>` without what is around them. */
function printed(parameter: string): string {
  const [, text, className] = /^(?:u?'(.*\S.*)'|<class '(.*\S.*)'>)$/.exec(parameter) ?? []
  return text ?? className ?? parameter
}
