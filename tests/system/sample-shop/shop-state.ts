import { randomBytes } from 'node:crypto'

export interface Order {
  id: string
  owner: string
  productId: string
  quantity: number
  status: 'PAID'
  attachments: { name: string; sizeBytes: number }[]
}

interface Session {
  id: string
  user: string | undefined
}

/** Users and their passwords. */
const users = new Map([
  ['ann', 'ann-password'],
  ['bob', 'bob-password'],
])

export const products = [
  { id: 'p-101', name: 'Fish', price: 12.5 },
  { id: 'p-102', name: 'Dog', price: 99 },
]

const random = (bytes = 12) => randomBytes(bytes).toString('hex')

/** What a shop remembers, in memory. Everything that it gives out is made anew: what was recorded is of no use later. */
export class ShopState {
  readonly #sessions = new Map<string, Session>()
  /** Session of each form token that was not used yet. */
  readonly #formTokens = new Map<string, string>()
  readonly #bearers = new Map<string, string>()
  /** When each nonce ends, in milliseconds since 1970. */
  readonly #nonces = new Map<string, number>()
  readonly #tickets = new Map<string, string>()
  readonly #orders = new Map<string, Order>()
  readonly nonceMs: number

  constructor(nonceMs: number) {
    this.nonceMs = nonceMs
  }

  session(id: string | undefined): Session | undefined {
    return this.#sessions.get(id ?? '')
  }

  openSession(user?: string): Session {
    const session = { id: random(16), user }
    this.#sessions.set(session.id, session)
    return session
  }

  /** Ends the session of before, so that nobody who knew it is logged in. */
  logIn(before: Session, user: string, password: string): Session | undefined {
    if (users.get(user) !== password) return undefined
    this.#sessions.delete(before.id)
    return this.openSession(user)
  }

  /** The user that a name and a password are of. */
  userWith(given: unknown): string | undefined {
    const { user, password } = Object(given)
    return typeof user === 'string' && users.has(user) && users.get(user) === password ? user : undefined
  }

  formToken(session: Session): string {
    const token = `${random(16)}+/=`
    this.#formTokens.set(token, session.id)
    return token
  }

  /** Whether it was given to this session and is used for the first time. */
  takeFormToken(session: Session, token: string | undefined): boolean {
    const isRight = token !== undefined && this.#formTokens.get(token) === session.id
    if (isRight) this.#formTokens.delete(token)
    return isRight
  }

  bearer(user: string): string {
    const token = randomBytes(24).toString('base64url')
    this.#bearers.set(token, user)
    return token
  }

  userOf(bearer: string | undefined): string | undefined {
    return this.#bearers.get(bearer ?? '')
  }

  nonce(): string {
    const nonce = random(8)
    this.#nonces.set(nonce, Date.now() + this.nonceMs)
    return nonce
  }

  /** Whether it was given, is used for the first time, and has not ended. */
  takeNonce(nonce: string | undefined): boolean {
    const end = this.#nonces.get(nonce ?? '')
    this.#nonces.delete(nonce ?? '')
    return end !== undefined && Date.now() <= end
  }

  ticket(user: string): string {
    const ticket = `tkt_${random(10)}`
    this.#tickets.set(ticket, user)
    return ticket
  }

  takeTicket(ticket: string | null): string | undefined {
    const user = this.#tickets.get(ticket ?? '')
    this.#tickets.delete(ticket ?? '')
    return user
  }

  createOrder(owner: string, productId: string, quantity: number): Order {
    const order: Order = {
      id: `ord_${random(8)}`,
      owner,
      productId,
      quantity,
      status: 'PAID',
      attachments: [],
    }
    this.#orders.set(order.id, order)
    return order
  }

  /** Another's order is a missing order. */
  order(owner: string | undefined, id: string): Order | undefined {
    const order = this.#orders.get(id)
    return order?.owner === owner ? order : undefined
  }
}
