import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { Session } from '../accounts.ts'
import { tell } from '../gateway.ts'
import { NoPasskey } from './no-passkey.ts'

/** Asks the browser for a passkey, and logs in with its answer. */
export async function logInWithPasskey(): Promise<Session> {
  return JSON.parse(await tell('POST', '/auth/log-in/passkey', { response: await askPasskey() }))
}

/** The same to prove once more who is there. */
export async function proveWithPasskey(): Promise<void> {
  await tell('POST', '/auth/prove/passkey', { response: await askPasskey() })
}

/** Lets the browser make a passkey for the person who is logged in. */
export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = JSON.parse(await tell('POST', '/auth/account/passkeys/options', {}))
  const response = await startRegistration({ optionsJSON }).catch(explain)
  await tell('POST', '/auth/account/passkeys', { name, response })
}

async function askPasskey() {
  const optionsJSON = JSON.parse(await tell('POST', '/auth/passkeys/options', {}))
  return startAuthentication({ optionsJSON }).catch(explain)
}

function explain(error: unknown): never {
  if (!(error instanceof Error)) throw error
  if (error.name === 'InvalidStateError') {
    throw new NoPasskey('This device has a passkey of your account already.', { cause: error })
  }
  if (['NotAllowedError', 'AbortError', 'SecurityError', 'WebAuthnError'].includes(error.name)) {
    throw new NoPasskey('Your browser gave no passkey. Try again, or log in in another way.', {
      cause: error,
    })
  }
  throw error
}
