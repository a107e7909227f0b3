/**
 * One request of a load test, or another timed action that holds none. Durations and moments are whole microseconds; a moment is
 * counted from the start of the run.
 */
export interface RequestRow {
  endUs: number
  /** From when it should have begun to its end, however that came. */
  responseUs: number
  /** From when it was sent to its last byte; -1 where it got no whole answer. */
  serviceUs: number
  /** Look-up of the name, connection and TLS. */
  connectUs: number
  /** From the first byte of the answer to its last; -1 where that is not known. */
  downloadUs: number
  sentBytes: number
  receivedBytes: number
  /** Of HTTP; 0: none. */
  status: number
  /** Place of the action in the list of the run's actions. */
  action: number
  /** Number of the user in its profile and thread, and its iteration, from 0; -1 where it is not known. */
  user: number
  iteration: number
  /** Of its profile, and of all profiles, in its thread at that moment. */
  profileUsers: number
  allUsers: number
  /** As series name them (`packages/series`); empty: it did not fail. */
  errorClass: string
  /** Why it failed, in words, without secrets. */
  failure: string
  /** Without secrets; empty where there is none. */
  url: string
}
