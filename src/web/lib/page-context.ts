import { createContext } from 'react-router'
import type { RegistrationDesk } from '#shared/registration/registration.ts'
import type { SiteTexts } from '#shared/settings/site-texts.ts'
import type { Site } from '#shared/site/site.ts'

/**
 * What the server hands to each page request. It lives on this side because React Router looks values up by
 * the key's identity, and is the one module of `web` that the server imports.
 */
export interface PageContext {
  /** The API in the same process: same rules and answers as over the network, without the network. */
  fetchApi: typeof fetch
  /** The request's Content-Security-Policy nonce. */
  nonce: string
  /** Whether the page is sent when all of it is there, and not from its first part on. */
  isWhole: boolean
  /** What the settings say to everybody, known without a query. */
  site: Site
  /** The texts of the public pages, known without a query too; a page takes what it shows. */
  texts: () => SiteTexts
  /** Where the public finds this site, without a slash at the end: 'https://nstp.example.edu.ph'. */
  origin: string
  /** What the enlistment form offers at this moment; known without a query too. */
  desk: () => RegistrationDesk
  /** The program's time zone: whose clock and dates the screens show. */
  timeZone: string
  /** Logs what went wrong while a page was made. */
  reportFault: (error: unknown) => void
}

export const pageContext = createContext<PageContext>()
