import { createContext } from 'react-router'
import type { RegistrationContext } from '#shared/registration/registration.ts'
import type { SiteTexts } from '#shared/settings/site-texts.ts'
import type { Language } from '#shared/site/language.ts'
import type { Site } from '#shared/site/site.ts'

/**
 * The server's data for each page request. Defined in `web` because React Router looks contexts up
 * by key identity; the only module of `web` that the server imports.
 */
export interface PageContext {
  fetchApi: typeof fetch
  nonce: string
  /** Sent complete instead of streamed. */
  isWhole: boolean
  site: Site
  texts: () => SiteTexts
  /** For the home page: the days of the semester that are ahead. */
  datesAhead: () => SiteTexts['termDates']
  /** Public origin without a trailing slash. */
  origin: string
  registration: () => RegistrationContext
  timeZone: string
  language: Language
  reportFault: (error: unknown) => void
}

export const pageContext = createContext<PageContext>()
