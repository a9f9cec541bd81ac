import * as z from 'zod/mini'
import type { FieldError } from '#shared/problem.ts'
import {
  createRegistrationSchema,
  type RegistrationBody,
  type RegistrationOffer,
} from '#shared/registration/registration.ts'

/**
 * Every rule that the registration breaks, in form order: the same rules and sentences as the server's. This
 * module is loaded apart from the page, which needs it only after somebody has filled the form in.
 */
export function findProblems(body: RegistrationBody, offer: RegistrationOffer): FieldError[] {
  const { error } = z.safeParse(
    createRegistrationSchema(() => offer),
    body,
  )
  return (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))
}
