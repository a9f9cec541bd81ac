import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Roll } from '#shared/attendance/roll-response.ts'
import { studentName } from '#shared/students/student-name.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { dropKeptParts, forgetKeptRoll, keepPart, readKeptParts } from './kept-roll.ts'
import { noteContact } from './phone-clock.ts'

const sectionsPart = 'sections'
const sectionsKey = ['attendance', 'own sections'] as const
const rollsKey = ['attendance', 'roll'] as const
const rollKey = (id: string) => [...rollsKey, id] as const

// An administrator who gives or takes sections changes the session. The screen itself says that there is no network.
const meta = { topics: ['session'], saysBehind: true } as const

/** The sections of an account. What the phone has of others goes. */
export const sectionsQuery = (account: string) =>
  queryOptions({
    queryKey: sectionsKey,
    meta,
    async queryFn({ signal }) {
      const sections = await orForget(callApi(noteContact(api.roll.$get({}, { init: { signal } }))))
      const own = new Set([sectionsPart, ...sections.items.map(({ id }) => id)])
      await dropKeptParts((name) => !own.has(name))
      await keepPart(account, sectionsPart, sections)
      return sections
    },
  })

export const rollQuery = (account: string, id: string) =>
  queryOptions({
    queryKey: rollKey(id),
    meta,
    async queryFn({ signal }) {
      const asked = api.roll[':id'].$get({ param: { id } }, { init: { signal } })
      const roll = await orForget(callApi(noteContact(asked)))
      await keepPart(account, id, withoutCourses(roll))
      return roll
    },
  })

/** Adds the names on the rolls that the page has, by student. Who left a roll since keeps the name that it had. */
export function noteNames(client: QueryClient, names: Map<string, string>): Map<string, string> {
  for (const [, roll] of client.getQueriesData<Roll>({ queryKey: rollsKey }))
    for (const student of roll?.students ?? []) names.set(student.id, studentName(student))
  return names
}

/** Privacy: names and student IDs are enough to call a roll. */
function withoutCourses(roll: Roll): Roll {
  return { ...roll, students: roll.students.map((student) => ({ ...student, course: '' })) }
}

/** The account was disabled, or has another role: nothing of the roll stays on the phone. */
async function orForget<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.status === 403) await forgetKeptRoll()
    throw error
  }
}

/** Gives the queries what the phone has of today, until they have read. */
export async function seedRoll(client: QueryClient, account: string, timeZone: string): Promise<void> {
  for (const { name, at, data } of await readKeptParts(account, timeZone)) {
    const key = name === sectionsPart ? sectionsKey : rollKey(name)
    // Another section, too, stays as it was last read while there is no network.
    client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY })
    if (client.getQueryData(key) === undefined) client.setQueryData(key, data, { updatedAt: at })
  }
}
