import { randomBytes } from 'node:crypto'
import { hashSecret } from '@flamegate/auth'
import type { Sealing, TotpStore, User } from '@flamegate/operations/ports'
import { Secret, TOTP } from 'otpauth'
import QRCode from 'qrcode'

/** What somebody puts into an authenticator app. */
export interface Enrolment {
  /** Base 32, for typing. */
  secret: string
  /** `otpauth://totp/…` */
  uri: string
  /** The same as a QR code: rows from the top, `1` for dark. */
  qrRows: string[]
}

/** Codes of authenticator apps (RFC 6238) as a second proof, and recovery codes for when the app is lost. */
export interface OneTimeCodes {
  areInUse(userId: string): Promise<boolean>
  /** A new secret, which counts once it was confirmed; undefined when codes are in use already. */
  begin(user: User): Promise<Enrolment | undefined>
  /** Turns codes on by the first of them and gives the recovery codes; undefined when the code is not right. */
  confirm(userId: string, code: string): Promise<string[] | undefined>
  /** Takes a code of the app or a recovery code. Each is good once. */
  take(userId: string, code: string): Promise<boolean>
  countRecoveryCodes(userId: string): Promise<number>
  /** New recovery codes in place of the old ones. */
  renewRecoveryCodes(userId: string): Promise<string[]>
  remove(userId: string): Promise<void>
}

// What every authenticator app can do.
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Clocks may be this many steps apart. */
const window = 1

const recoveryCodeCount = 10
/** 120 random bits: nobody finds one by trying, not even with the hashes in hand, so that they need no stretching. */
const recoveryCodeBytes = 15

export function createOneTimeCodes(totp: TotpStore, sealing: Sealing, now: () => number): OneTimeCodes {
  async function takeAppCode(userId: string, code: string): Promise<boolean> {
    const stored = await totp.find(userId)
    if (!stored) return false
    const generator = new TOTP({
      ...parameters,
      secret: Secret.fromBase32(await sealing.open(stored.sealedSecret, userId)),
    })
    const timestamp = now()
    const distance = generator.validate({ token: code, timestamp, window })
    if (distance === null) return false
    return totp.takeStep(userId, generator.counter({ timestamp }) + distance)
  }

  return {
    async areInUse(userId) {
      return Boolean((await totp.find(userId))?.confirmedAt)
    },

    async begin(user) {
      const secret = new Secret({ size: 20 })
      const sealed = await sealing.seal(secret.base32, { id: user.id, workspaceId: null })
      if (!(await totp.begin(user.id, sealed))) return undefined
      const uri = new TOTP({ ...parameters, secret, issuer: 'Flamegate', label: user.email }).toString()
      return { secret: secret.base32, uri, qrRows: drawQrCode(uri) }
    },

    async confirm(userId, code) {
      const stored = await totp.find(userId)
      if (!stored || stored.confirmedAt || !(await takeAppCode(userId, plainCode(code)))) return undefined
      const codes = newRecoveryCodes()
      await totp.confirm(userId, codes.map(hashRecoveryCode))
      return codes
    },

    async take(userId, code) {
      const plain = plainCode(code)
      return isAppCode(plain)
        ? takeAppCode(userId, plain)
        : totp.takeRecoveryCode(userId, hashRecoveryCode(plain))
    },

    countRecoveryCodes: (userId) => totp.countRecoveryCodes(userId),

    async renewRecoveryCodes(userId) {
      const codes = newRecoveryCodes()
      await totp.replaceRecoveryCodes(userId, codes.map(hashRecoveryCode))
      return codes
    },

    remove: (userId) => totp.remove(userId),
  }
}

/** Whether it is written like a code of the app: six digits, which can be guessed. */
export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(plainCode(code))
}

/** Without what apps and people put in between to read it more easily. */
function plainCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase()
}

/** Like `k3xb-92mq-…`: easy to copy by hand. */
function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const text = Secret.fromHex(randomBytes(recoveryCodeBytes).toString('hex')).base32.toLowerCase()
    return text.match(/.{4}/g)?.join('-') ?? text
  })
}

function hashRecoveryCode(code: string): string {
  return hashSecret(code.replaceAll('-', ''))
}

function drawQrCode(text: string): string[] {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' })
  const rowOf = (y: number) => Array.from({ length: modules.size }, (_, x) => (modules.get(y, x) ? '1' : '0'))
  return Array.from({ length: modules.size }, (_, y) => rowOf(y).join(''))
}
