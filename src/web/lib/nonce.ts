import { createContext } from 'react'

/** The request's Content-Security-Policy nonce, while the server renders; absent in the browser. */
export const Nonce = createContext<string | undefined>(undefined)
