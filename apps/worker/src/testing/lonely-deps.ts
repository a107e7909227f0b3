import type { JobDeps } from '@flamegate/operations'
import { targetRules } from '@flamegate/runtime'

const nobody = () => Promise.reject(new RangeError('Nobody is there'))

/** What jobs are given where nobody else is there to be told, asked or run: a test adds whom it needs. */
export function lonelyDeps(needed: Pick<JobDeps, 'stores'> & Partial<JobDeps>): JobDeps {
  return {
    queue: { add: async () => {}, addAfter: async () => {}, remove: async () => {} },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whoever needs a file brings a storage
    storage: {} as JobDeps['storage'],
    limits: undefined,
    sealing: { seal: async (plain) => plain, open: async (sealed) => sealed },
    targets: targetRules([]),
    publicUrl: 'https://flamegate.example',
    postMessage: nobody,
    sendMail: nobody,
    github: { url: '', request: nobody },
    runner: { run: nobody },
    sourceReader: { read: nobody },
    resultReader: { read: nobody },
    requestLogFiles: nobody,
    workspaceArchives: nobody,
    printer: { print: nobody },
    newSecret: () => ({ secret: '', hash: '' }),
    ...needed,
  }
}
