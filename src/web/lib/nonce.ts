import { createContext } from 'react'

/** The CSP nonce while the server renders; absent in the browser. */
export const Nonce = createContext<string | undefined>(undefined)
