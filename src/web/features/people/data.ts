import type { Person } from '#shared/people/person.ts'
import { createAddress, parseAsId } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'

export const newPerson = 'new'

export const peopleAddress = createAddress(tabPath('people'), { person: parseAsId })

export async function readPeople(signal: AbortSignal | null = null): Promise<readonly Person[]> {
  return (await callApi(api.people.$get(undefined, { init: { signal } }))).items
}
