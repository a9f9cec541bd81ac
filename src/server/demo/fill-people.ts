import type { Transaction } from 'kysely'
import { v7 as createId } from 'uuid'
import type { Tables } from '#server/database/schema.ts'
import { createAudit } from '#server/features/audit/repository.ts'
import { createAccounts } from '#server/features/auth/account-service.ts'
import { createPasswords } from '#server/features/auth/password-service.ts'
import { createPeopleRepository } from '#server/features/people/repository.ts'
import type { NewPerson } from '#shared/people/person.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { actor, demoTimeZone } from './fill-terms.ts'

const dayMs = 86_400_000
const lastDayInDays = 90

/** The first administrator, whom the start adds, gives them passwords. */
export async function fillPeople(tx: Transaction<Tables>, now: Date, openTerm: Term): Promise<void> {
  const clock = () => now
  const accounts = createAccounts({ passwords: createPasswords(), clock })
  const audit = createAudit({ clock })
  const people = createPeopleRepository(tx)
  for (const { email, ...scope } of peopleOf(now, openTerm)) {
    const id = createId()
    // Nobody knows the password.
    const { passwordHash } = await accounts.makePassword()
    await accounts.add(tx, { id, email, ...scope, passwordHash })
    if (scope.role === 'facilitator') {
      const sections = await people.listOpenSections()
      await people.setSections(
        id,
        sections.slice(0, 2).map((section) => section.id),
      )
    }
    await audit.record(tx, { action: 'person-added', actor, subject: email, detail: { role: scope.role } })
  }
}

// 'example' is reserved (RFC 2606).
const peopleOf = (now: Date, openTerm: Term): Omit<NewPerson, 'sectionIds' | 'seesPhoneNumbers'>[] => [
  {
    displayName: 'Lourdes M. Reyes',
    email: 'director@school.example',
    role: 'coordinator',
    components: [],
    expiresOn: null,
  },
  {
    displayName: 'Capt. Andres B. Salonga',
    email: 'rotc@school.example',
    role: 'coordinator',
    components: ['ROTC'],
    expiresOn: null,
  },
  {
    displayName: 'Kristine D. Bautista',
    email: 'encoder@school.example',
    role: 'assistant',
    components: ['CWTS', 'LTS'],
    expiresOn: calendarDateOf(new Date(now.getTime() + lastDayInDays * dayMs), demoTimeZone),
  },
  {
    displayName: 'Norma G. Ilagan',
    email: 'registrar@school.example',
    role: 'registrar',
    components: [],
    expiresOn: null,
  },
  {
    displayName: 'Rowena A. Mercado',
    email: 'dpo@school.example',
    role: 'privacy officer',
    components: [],
    expiresOn: null,
  },
  {
    displayName: 'Jerome P. Salazar',
    email: 'facilitator@school.example',
    role: 'facilitator',
    components: [],
    expiresOn: openTerm.endsOn,
  },
]
