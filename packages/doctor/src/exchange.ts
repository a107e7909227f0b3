/** One HTTP request that the doctor makes. */
export interface SentRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** What came back. Redirects are not followed. */
export interface Sent {
  status: number
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  body: string
}

/** Sends one request; rejects, with words for a person, when nothing came back. */
export type Send = (request: SentRequest) => Promise<Sent>

type Json = Record<string, unknown>

/** The body as a JSON object; undefined when it is none. */
export function jsonObject({ body }: Sent): Json | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The texts in a list; empty when it is no list. */
export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

/** A text, or undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export const asJson = { 'content-type': 'application/json', accept: 'application/json' }
export const asForm = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
