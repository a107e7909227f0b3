import { operations, type AnswerOf } from '@flamegate/contract'

export type Sso = AnswerOf<typeof operations.getSso>
export type SsoSettings = NonNullable<Sso['settings']>

/** What is other after a change of it. */
export const ssoOutdates = [operations.getSso]
