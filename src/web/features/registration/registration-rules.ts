import * as z from 'zod/mini'
import type { FieldError } from '#shared/problem.ts'
import { fieldErrors } from '#shared/problem.ts'
import {
  createRegistrationSchema,
  type RegistrationBody,
  type RegistrationOffer,
} from '#shared/registration/registration.ts'

/** The same rules and sentences as the server's, in form order. Loaded apart from the page. */
export function findProblems(body: RegistrationBody, offer: RegistrationOffer): FieldError[] {
  const { error } = z.safeParse(
    createRegistrationSchema(() => offer),
    body,
  )
  return fieldErrors(error)
}
