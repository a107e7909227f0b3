/** Prefix of every kind of id: what a reader sees of a thing before they look it up. */
export const idPrefixes = {
  user: 'usr',
  workspace: 'ws',
  invitation: 'inv',
  project: 'prj',
  environment: 'env',
  run: 'run',
  benchmark: 'ben',
  threshold: 'thr',
  alert: 'alt',
  alertChange: 'alc',
  webhook: 'whk',
  delivery: 'dlv',
  profile: 'prf',
  shareLink: 'shl',
  file: 'fil',
  task: 'tsk',
  collector: 'col',
  virtualUser: 'vu',
  action: 'act',
  httpServer: 'srv',
  variable: 'var',
  correlationRule: 'rul',
  recording: 'rec',
  validation: 'val',
  scenario: 'scn',
  target: 'tgt',
  loadGenerator: 'gen',
  schedule: 'sch',
  benchResult: 'bnr',
  benchShard: 'shd',
  benchSample: 'smp',
  benchReport: 'rep',
  reportTemplate: 'rtp',
  slaProfile: 'sla',
  monitor: 'mon',
  notification: 'ntf',
  liveApp: 'app',
  liveAlert: 'lal',
  liveRecording: 'lrc',
  mcpTarget: 'mct',
  mcpSession: 'mcs',
  apiToken: 'tok',
  scimToken: 'sct',
  auditEvent: 'aud',
  auditWriter: 'wrt',
  incident: 'inc',
} as const

export type IdKind = keyof typeof idPrefixes

// Crockford's base 32: no i, l, o, u, so that ids survive being read aloud.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * A new id: prefix, then 48 bits of milliseconds and 80 random bits in 26 base-32 digits (the ULID layout), so
 * that ids sort by time of creation.
 */
export function newId(kind: IdKind, now = Date.now()): string {
  let digits = ''
  let rest = now
  for (let index = 0; index < 10; index++) {
    digits = alphabet.charAt(rest % 32) + digits
    rest = Math.floor(rest / 32)
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) digits += alphabet.charAt(byte & 31)
  return `${idPrefixes[kind]}_${digits}`
}
