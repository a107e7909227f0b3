/**
 * Functions that the script has in it where it uses them, by name. They are JavaScript as k6 runs it; each may use those after
 * it.
 */
const helpers: readonly (readonly [name: string, source: string])[] = [
  [
    'keep',
    `// Gives a variable what was found: one of it, or all.
function keep(name, found, match, standard) {
  if (match === 'all' && found.length > 0) vars[name] = found
  else {
    const at = match === 'random' ? Math.floor(Math.random() * found.length) : match === 'all' ? 0 : match - 1
    if (found[at] !== undefined) vars[name] = found[at]
    else if (standard !== null) vars[name] = standard
    else check(null, { [\`\${name} was found\`]: () => false })
  }
}`,
  ],
  [
    'matches',
    `function matches(text, pattern, flags, group) {
  return [...String(text || '').matchAll(new RegExp(pattern, flags + 'g'))].map((match) => match[group] || '')
}`,
  ],
  [
    'between',
    `function between(text, left, right) {
  const found = []
  const whole = String(text || '')
  for (let at = whole.indexOf(left); at !== -1; at = whole.indexOf(left, at)) {
    const start = at + left.length
    const end = right === '' ? whole.length : whole.indexOf(right, start)
    if (end === -1) break
    found.push(whole.slice(start, end))
    at = Math.max(end + right.length, at + 1)
  }
  return found
}`,
  ],
  [
    'atPath',
    `// The values at a path of names and numbers; '*' stands for all.
function atPath(response, path) {
  let values = []
  try {
    values = [response.json()]
  } catch (error) {
    return []
  }
  for (const step of path)
    values = values.flatMap((value) => {
      if (value === null || typeof value !== 'object') return []
      if (step === '*') return Object.values(value)
      const at = typeof step === 'number' && step < 0 ? value.length + step : step
      return Object.prototype.hasOwnProperty.call(value, at) ? [value[at]] : []
    })
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
}`,
  ],
  [
    'selected',
    `function selected(response, selector, attribute) {
  return parseHTML(response.body)
    .find(selector)
    .toArray()
    .map((element) => (attribute === null ? element.text() : element.attr(attribute)))
    .filter((found) => found !== undefined)
}`,
  ],
  [
    'headerText',
    `function headerText(response) {
  return Object.entries(response.headers).map(([name, value]) => \`\${name}: \${value}\`).join('\\n')
}`,
  ],
  [
    'header',
    `function header(response, name) {
  return Object.entries(response.headers)
    .filter(([each]) => each.toLowerCase() === name.toLowerCase())
    .map(([, found]) => found)
}`,
  ],
  [
    'isStatus',
    `function isStatus(response, allowed) {
  return allowed.some((code) => String(response.status) === code || \`\${Math.floor(response.status / 100)}xx\` === code)
}`,
  ],
  [
    'compare',
    `// As numbers where both are numbers, as texts otherwise.
function compare(left, operator, right) {
  const isNumber = (text) => text.trim() !== '' && Number.isFinite(Number(text))
  const [a, b] = isNumber(left) && isNumber(right) ? [Number(left), Number(right)] : [left, right]
  switch (operator) {
    case 'equals':
      return a === b
    case 'not_equals':
      return a !== b
    case 'contains':
      return left.includes(right)
    case 'not_contains':
      return !left.includes(right)
    case 'matches':
      return new RegExp(right).test(left)
    case 'less':
      return a < b
    case 'less_or_equal':
      return a <= b
    case 'greater':
      return a > b
    case 'greater_or_equal':
      return a >= b
    case 'empty':
      return left === ''
    default:
      return left !== ''
  }
}`,
  ],
  [
    'encoded',
    `function encoded(fields) {
  return fields.map(([name, value]) => \`\${encodeURIComponent(name)}=\${encodeURIComponent(value)}\`).join('&')
}`,
  ],
  [
    'multipart',
    `function multipart(boundary, fields) {
  const parts = fields.map(
    ([name, value, type]) =>
      \`--\${boundary}\\r\\nContent-Disposition: form-data; name="\${name}"\\r\\n\${type === null ? '' : \`Content-Type: \${type}\\r\\n\`}\\r\\n\${value}\\r\\n\`,
  )
  return \`\${parts.join('')}--\${boundary}--\\r\\n\`
}`,
  ],
  [
    'choose',
    `// Index of one of several weights, by chance.
function choose(weights) {
  let rest = Math.random() * weights.reduce((sum, weight) => sum + weight, 0)
  return weights.findIndex((weight) => (rest -= weight) < 0)
}`,
  ],
  [
    'gaussian',
    `function gaussian(mean, deviation) {
  const angle = 2 * Math.PI * Math.random()
  return Math.max(0, mean + deviation * Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(angle))
}`,
  ],
  [
    'pace',
    `// From one time that it is come to, to the next: at least so many milliseconds.
function pace(name, ms) {
  const next = (paced[name] || 0) + ms
  if (paced[name] !== undefined && next > Date.now()) sleep((next - Date.now()) / 1000)
  paced[name] = Date.now()
}
const paced = {}`,
  ],
  [
    'readCsv',
    `function readCsv(text, delimiter, quote, skipped, columns) {
  const rows = []
  let row = ['']
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isQuoted && character === quote && text[at + 1] === quote) row[row.length - 1] += text[at++]
    else if (quote !== null && character === quote) isQuoted = !isQuoted
    else if (!isQuoted && character === delimiter) row.push('')
    else if (!isQuoted && character === '\\n') row = (rows.push(row), [''])
    else if (isQuoted || character !== '\\r') row[row.length - 1] += character
  }
  if (row.length > 1 || row[0] !== '') rows.push(row)
  const lines = rows.slice(skipped)
  const names = columns.length > 0 ? columns : lines.shift() || []
  return lines.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] || ''])))
}`,
  ],
  [
    'takeRow',
    `function takeRow(rows, number, isRecycled) {
  if (number >= rows.length && !isRecycled) exec.test.abort('There are no more lines.')
  Object.assign(vars, rows[number % rows.length])
}`,
  ],
  [
    'counted',
    `function counted(number, start, end, step, digits) {
  const steps = end === null ? Infinity : Math.floor((end - start) / step) + 1
  const value = start + step * (steps > 0 && steps < Infinity ? number % steps : number)
  return (value < 0 ? '-' : '') + String(Math.abs(value)).padStart(digits, '0')
}`,
  ],
  [
    'randomText',
    `function randomText(length, characters) {
  const all = [...characters]
  return Array.from({ length }, () => all[Math.floor(Math.random() * all.length)]).join('')
}`,
  ],
  [
    'formatted',
    `// Letters of Unicode TR 35, in UTC.
function formatted(offsetMs, format) {
  const now = new Date(Date.now() + offsetMs)
  if (format === 'unix_ms') return String(now.getTime())
  if (format === 'unix') return String(Math.floor(now.getTime() / 1000))
  if (format === 'iso') return now.toISOString()
  const numbers = {
    y: now.getUTCFullYear(),
    M: now.getUTCMonth() + 1,
    d: now.getUTCDate(),
    H: now.getUTCHours(),
    m: now.getUTCMinutes(),
    s: now.getUTCSeconds(),
    S: now.getUTCMilliseconds(),
  }
  return format.replace(/'([^']*)'|([yMdHmsS])\\2*|X+/g, (letters, quoted) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted
    if (letters.startsWith('X')) return 'Z'
    const number = String(numbers[letters[0]])
    if (letters[0] === 'S') return number.padStart(3, '0').slice(0, letters.length)
    return letters === 'yy' ? number.slice(-2) : number.padStart(letters.length, '0')
  })
}`,
  ],
]

/** The helpers that a script uses, and those that they use. */
export function helpersFor(script: string): string[] {
  const used: string[] = []
  let text = script
  for (const [name, source] of helpers) {
    if (!new RegExp(String.raw`\b${name}\(`).test(text)) continue
    used.push(source)
    text += source
  }
  return used
}
