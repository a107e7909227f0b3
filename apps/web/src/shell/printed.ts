import { createContext } from 'react'

/** Whether a page is drawn for paper: light, all of it at once, and without what can only be pointed at. */
export const PrintedContext = createContext(false)
