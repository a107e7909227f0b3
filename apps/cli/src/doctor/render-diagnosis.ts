import type { Diagnosis, Finding } from '@flamegate/doctor'

const marks: Record<Finding['status'], string> = { ok: '✓', warning: '!', failed: '✗', skipped: '·' }
const verdicts: Record<Diagnosis['verdict'], string> = {
  healthy: 'Every client should connect.',
  stumbles: 'Clients connect; some will stumble over what is marked with !.',
  broken: 'Some clients cannot connect: mend what is marked with ✗.',
}

/** A diagnosis as text for a terminal. */
export function renderDiagnosis({ url, verdict, findings }: Diagnosis): string {
  return [url, '', ...findings.map(renderFinding), '', verdicts[verdict]].join('\n')
}

function renderFinding({ status, title, detail, advice, clients }: Finding): string {
  const lines = [`${marks[status]} ${title}`]
  lines.push(`    ${detail}`)
  if (advice !== '') lines.push(`    → ${advice}`)
  if (clients.length > 0) lines.push(`    Trips: ${clients.join(', ')}`)
  return lines.join('\n')
}
