import { redirect } from 'react-router'
import { myPath } from '#shared/my/my-path.ts'
import type { Refusal } from '#web/features/my/refusal.ts'
import type { serverApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { composeBirthDate } from '#web/lib/birth-date.ts'

export type OwnApi = ReturnType<typeof serverApi>['my']

/** The texts of a posted form. A posted form has CRLF where the API reads LF. */
export function typedTexts(form: FormData): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.replaceAll('\r\n', '\n')]] : [],
    ),
  )
}

export function birthDateOf(typed: Record<string, string>, name: string): string {
  const [birthYear = '', birthMonth = '', birthDay = ''] = ['Year', 'Month', 'Day'].map(
    (part) => typed[name + part],
  )
  return composeBirthDate({ birthYear, birthMonth, birthDay })
}

const isOut = (code: string) => code === 'unauthenticated' || code === 'permission_denied'

/** A post without a session leads to the page that asks for one, which says that nothing was sent. */
export function refusalOf(
  { problem: { code, detail, errors = [] } }: ApiProblem,
  intent: string,
  typed: Record<string, string>,
): Refusal {
  if (isOut(code)) throw redirect(`${myPath}?ended`, { status: 303 })
  return { intent, typed, sentence: errors.length > 0 ? null : detail, errors }
}

/** Whoever isn't past the second step goes to the page that asks for it. */
export async function orEntry<T>(needed: Promise<T>): Promise<T> {
  try {
    return await needed
  } catch (error) {
    if (error instanceof ApiProblem && isOut(error.problem.code)) throw redirect(myPath)
    throw error
  }
}
