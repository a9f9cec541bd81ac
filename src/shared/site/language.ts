export type Language = 'en' | 'fil'

export const languageNames: Record<Language, string> = { en: 'English', fil: 'Filipino' }

export const languageCookie = 'nstp-language'

const chosen = new RegExp(`\\b${languageCookie}=(en|fil)\\b`)

/** The language that the visitor chose, or else the browser's first one. Runs at each request. */
export function languageOf(
  cookies: string | null | undefined,
  accepted: string | null | undefined,
): Language {
  const [, choice] = chosen.exec(cookies ?? '') ?? []
  if (choice !== undefined) return choice === 'fil' ? 'fil' : 'en'
  return /^\s*(fil|tl)\b/i.test(accepted ?? '') ? 'fil' : 'en'
}
