import { placeholderNames } from '#shared/mail-placeholders.ts'
import type { Sample } from './addressees.ts'

/** What stands in for the placeholders. @param recipient whose values they are; undefined for nobody's */
export function placeholderValuesOf(recipient: Sample | undefined): Record<string, string> {
  return Object.fromEntries(
    placeholderNames.flatMap((name) => (recipient?.[name] ? [[name, recipient[name]]] : [])),
  )
}
