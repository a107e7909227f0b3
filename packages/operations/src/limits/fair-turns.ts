export interface FairTurnsOptions {
  /** How many pieces of work are under way at once, of all tenants together. */
  most: number
  /** How many of one tenant may wait. */
  waitingMost: number
  /** How long one piece of work waits. */
  waitingForMs: number
  /** What takes longer waits for something else than this process, and keeps no place from others any longer. */
  placeForMs: number
  /** What a tenant hears of whom too many wait already. */
  tooMany: () => Error
  /** What whoever asked hears when their turn did not come in time. */
  tooLate: () => Error
}

/** Who has something under way, or waits. */
interface Tenant {
  underWay: number
  /** What begins a piece of work each, in the order in which they came. */
  waiting: (() => void)[]
}

/**
 * Shares a process between tenants. All that are there have the same number of places, and one such share stays free, so that
 * whoever comes next waits for nobody; those that wait take turns, one piece of work of each. A tenant that is alone has half of
 * the places, which keep the process busy: it is as fast with them as with all.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions
  /** In the order of their turns: whose work has begun goes to the end. */
  readonly #tenants = new Map<string, Tenant>()
  #underWay = 0

  constructor(options: FairTurnsOptions) {
    this.#options = options
  }

  /**
   * Does the work when it is the tenant's turn. Whoever is not waited for any more gives up their turn, with the signal's reason;
   * what has begun is finished.
   * @throws what `tooMany` and `tooLate` give, before anything is done
   */
  async take<T>(tenantId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    const tenant = this.#tenants.get(tenantId) ?? { underWay: 0, waiting: [] }
    this.#tenants.set(tenantId, tenant)
    if (this.#mayBegin(tenant)) this.#begin(tenantId, tenant)
    else await this.#turn(tenantId, tenant, signal)
    let hasPlace = true
    const giveBack = () => {
      if (hasPlace) this.#end(tenantId, tenant)
      hasPlace = false
    }
    const late = setTimeout(giveBack, this.#options.placeForMs).unref()
    try {
      return await work()
    } finally {
      clearTimeout(late)
      giveBack()
    }
  }

  #mayBegin({ underWay }: Tenant): boolean {
    const { most } = this.#options
    const share = Math.max(1, Math.floor(most / (this.#tenants.size + 1)))
    return this.#underWay < most && underWay < share
  }

  #begin(tenantId: string, tenant: Tenant): void {
    tenant.underWay += 1
    this.#underWay += 1
    this.#tenants.delete(tenantId)
    this.#tenants.set(tenantId, tenant)
  }

  #end(tenantId: string, tenant: Tenant): void {
    tenant.underWay -= 1
    this.#underWay -= 1
    this.#forgetIfGone(tenantId, tenant)
    this.#beginNext()
  }

  #forgetIfGone(tenantId: string, { underWay, waiting }: Tenant): void {
    if (underWay === 0 && waiting.length === 0) this.#tenants.delete(tenantId)
  }

  /** Everything that may begin now. Who still waits afterwards has their share, or there is no place. */
  #beginNext(): void {
    for (const [tenantId, tenant] of this.#tenants) {
      // Whoever is served is seen again at the end of the same round.
      if (tenant.waiting.length === 0 || !this.#mayBegin(tenant)) continue
      this.#begin(tenantId, tenant)
      tenant.waiting.shift()?.()
    }
  }

  async #turn(tenantId: string, tenant: Tenant, signal: AbortSignal | undefined): Promise<void> {
    const { waitingMost, waitingForMs, tooMany, tooLate } = this.#options
    if (tenant.waiting.length >= waitingMost) throw tooMany()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (reason: unknown) => {
      const place = tenant.waiting.indexOf(resolve)
      // Whose turn has come already stays.
      if (place < 0) return
      tenant.waiting.splice(place, 1)
      this.#forgetIfGone(tenantId, tenant)
      reject(reason)
      // One tenant less: the others' shares are larger.
      this.#beginNext()
    }
    const hangUp = () => leave(signal?.reason)
    tenant.waiting.push(resolve)
    signal?.addEventListener('abort', hangUp)
    const late = setTimeout(() => leave(tooLate()), waitingForMs)
    try {
      await promise
    } finally {
      clearTimeout(late)
      signal?.removeEventListener('abort', hangUp)
    }
  }
}
