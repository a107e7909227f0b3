import type { Redactor } from '@flamegate/loadtest'
import type { RequestRow } from '@flamegate/loadtest/request-log'
import { withoutSecrets } from '@flamegate/loadtest/results'
import type { LoadUser } from './load-user.ts'
import type { Ended, Recorder } from './recorder.ts'

/** Texts that are remembered without their secrets: most requests ask for what was asked for before. */
const textsMax = 10_000

/** Where rows of requests go, one for each timed action that holds no others. */
export interface RequestLog {
  add: (row: RequestRow) => void
}

/** What records the actions of a user. */
export interface ActionRecorder {
  /**
   * The action by its index in the program. What was asked for, and why that failed, is told where the user does not know it by
   * itself.
   */
  record: (action: number, ended: Ended, url?: string, failure?: string | null) => void
}

/** What rows have in common that one profile makes. */
export interface LoggedProfile {
  log: RequestLog
  recorder: Recorder
  /** Place of the first action of the profile among those of the run. */
  firstAction: number
  redactor: Redactor
  /** Since the run began. */
  elapsedMs: () => number
  profileUsers: () => number
  allUsers: () => number
}

/** Makes recorders for the users of a profile whose requests are logged: who logs none has none of this in its way. */
export class LoggedRequests {
  readonly #profile: LoggedProfile
  readonly #clean = new Map<string, string>()

  constructor(profile: LoggedProfile) {
    this.#profile = profile
  }

  recorderFor(user: LoadUser): ActionRecorder {
    const { recorder } = this.#profile
    return {
      record: (action, ended, url = user.askedUrl, failure = user.failureWords) => {
        recorder.record(action, ended)
        this.#log(user, action, ended, url, failure)
      },
    }
  }

  #log(user: LoadUser, action: number, ended: Ended, url: string, failure: string | null): void {
    const { log, firstAction, elapsedMs, profileUsers, allUsers } = this.#profile
    log.add({
      endUs: microseconds(elapsedMs()),
      responseUs: microseconds(ended.responseMs),
      serviceUs: ended.serviceMs < 0 ? -1 : microseconds(ended.serviceMs),
      connectUs: microseconds(ended.dnsMs + ended.connectMs + ended.tlsMs),
      // What was measured waited for its first byte.
      downloadUs: ended.waitMs > 0 ? microseconds(ended.downloadMs) : -1,
      sentBytes: ended.sentBytes,
      receivedBytes: ended.receivedBytes,
      status: ended.status,
      action: firstAction + action,
      user: user.number,
      iteration: user.user.iteration,
      profileUsers: profileUsers(),
      allUsers: allUsers(),
      errorClass: ended.errorClass ?? '',
      failure: ended.errorClass === null || failure === null ? '' : this.#withoutSecrets(failure),
      url: url === '' ? '' : this.#withoutSecrets(url),
    })
  }

  /** Without values of secret variables, and without what is called as passwords and tokens are. */
  #withoutSecrets(text: string): string {
    const known = this.#clean.get(text)
    if (known !== undefined) return known
    if (this.#clean.size === textsMax) this.#clean.clear()
    const clean = withoutSecrets(this.#profile.redactor.redact(text))
    this.#clean.set(text, clean)
    return clean
  }
}

function microseconds(ms: number): number {
  return Math.round(ms * 1000)
}
