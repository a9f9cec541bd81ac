import { created, createRouter, done, formBody, ok, staffRoutes } from '#server/http/router.ts'
import { documented, ifMatchHeader, seenVersionHeader } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import {
  madePasswordSchema,
  madePersonSchema,
  newPersonSchema,
  peopleSchema,
  personEditSchema,
  personSchema,
} from '#shared/people/person.ts'
import { createPeopleService, type PeopleOptions } from './service.ts'

const people = staffRoutes('people', 'people')
const needs = 'fresh sign-in'
const problems = ['conflict'] as const

const listPeople = people.get('/people', 'List the people of the office', {
  responses: ok(
    documented(peopleSchema, 'People'),
    'All of them, by name, and the end and sections of the open term.',
  ),
})

const addPerson = people.post('/people', 'Add a person', {
  needs,
  description:
    'The password that was made for them must be changed at the first sign-in, and ends after seven days. Nothing is mailed.',
  body: formBody(newPersonSchema, 'NewPerson', 'Who, and what they may do.'),
  responses: created(
    documented(madePersonSchema, 'MadePerson'),
    'With the password, which is shown only now.',
  ),
})

const editPerson = people.patch('/people/{id}', 'Edit or end the account of a person', {
  needs,
  description:
    'It holds from the next request of that account on. Nobody changes their own role, components, last day or end, and ' +
    'one administrator remains. An account is never deleted, and keeps its address.',
  headers: ifMatchHeader,
  body: formBody(personEditSchema, 'PersonEdit', 'All that can be changed.'),
  responses: ok(documented(personSchema, 'Person'), 'The person.'),
  problems,
})

const renewPassword = people.post('/people/{id}/password', 'Make a new password for a person', {
  needs,
  description:
    'It must be changed, and ends after seven days. The sessions of that account end. With the version, the second of two ' +
    'who do this at once is refused, instead of handing out a password that no longer works.',
  headers: seenVersionHeader,
  responses: ok(documented(madePasswordSchema, 'MadePassword'), 'It is shown only now.'),
  problems,
})

const signOutPerson = people.post('/people/{id}/sign-out', 'Sign a person out everywhere', {
  needs,
  description: 'Their browsers are no longer known ones.',
  responses: done('Signed out.'),
  problems,
})

const resetSecondFactor = people.post('/people/{id}/second-factor-reset', 'Reset two-factor sign-in', {
  needs,
  description:
    'The sessions of that account end. Where it is required there are seven days to set it up again.',
  responses: done('Off. The recovery codes are deleted.'),
  problems,
})

/** The accounts of the office. */
export function createPeople(context: AppContext, needed: Pick<PeopleOptions, 'accounts' | 'readSettings'>) {
  const service = createPeopleService({ ...context, ...needed })

  const routes = createRouter()
    .answer(listPeople, service.list)
    .answer(addPerson, ({ body, actor }) => service.add(body, actor))
    .answerVersion(editPerson, ({ id, body, version, actor }) => service.edit(id, body, version, actor))
    .answer(renewPassword, async ({ id, version, actor }) => ({
      password: await service.renewPassword(id, version, actor),
    }))
    .answer(signOutPerson, ({ id, actor }) => service.signOut(id, actor))
    .answer(resetSecondFactor, ({ id, actor }) => service.resetSecondFactor(id, actor))
  return { routes }
}
