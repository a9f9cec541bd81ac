import type { People } from '#shared/people/person.ts'
import { createAddress, parseAsId } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'

export const newPerson = 'new'

export const peopleAddress = createAddress(tabPath('people'), { person: parseAsId })

export const readPeople = (signal: AbortSignal | null = null): Promise<People> =>
  callApi(api.people.$get(undefined, { init: { signal } }))

/** The open term of facilitators. */
export interface OpenTerm {
  /** Null if no term is open. */
  termEndsOn: string | null
  sections: readonly { id: string; name: string }[]
}

/** Names those of the open term: others may have been deleted since. */
export const namesOf = ({ sections }: OpenTerm, ids: readonly string[]): string[] =>
  sections.flatMap(({ id, name }) => (ids.includes(id) ? [name] : []))
