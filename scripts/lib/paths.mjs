import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** @param {...string} parts */
export const inRoot = (...parts) => path.join(root, ...parts)
