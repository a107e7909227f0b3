import type { LiveAlertShape } from '@flamegate/contract'

export const alertTitles: Readonly<Record<LiveAlertShape['type'], string>> = {
  high_cpu: 'High processor time',
  high_memory: 'High memory',
  slow_response: 'Slow calls',
  high_error_rate: 'Many errors',
}
