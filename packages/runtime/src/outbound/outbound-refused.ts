/** Why an outbound request was not made or not finished. Stable: callers turn these into problems and test for them. */
export type RefusalReason =
  | 'invalid_url'
  | 'scheme_not_allowed'
  | 'credentials_in_url'
  | 'header_not_allowed'
  | 'address_not_allowed'
  | 'target_not_verified'
  | 'name_not_found'
  | 'unreachable'
  | 'too_many_redirects'
  | 'too_large'
  | 'unsupported_encoding'
  | 'unreadable_encoding'
  | 'timed_out'

/**
 * The one error of the outbound room. `message` is ours and safe to show; what the network or the other side said is
 * only in `cause`.
 */
export class OutboundRefused extends Error {
  override name = 'OutboundRefused'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.reason = reason
  }
}
