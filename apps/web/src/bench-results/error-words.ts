/** What agents call failures, in words. */
const words: Readonly<Record<string, string>> = {
  dns: 'The host was not found',
  connect: 'No connection',
  tls: 'No secure connection',
  timeout: 'Timed out',
  reset: 'The connection was closed',
  refused_target: 'The target is not allowed',
  protocol: 'The answer was not HTTP',
  status_4xx: 'Status 4xx',
  status_5xx: 'Status 5xx',
  assertion: 'A check failed',
  extractor: 'A value was not found',
  other: 'Another failure',
}

export function errorWords(errorClass: string): string {
  return words[errorClass] ?? errorClass.replaceAll('_', ' ')
}
