import type { SendingAccount } from '#server/features/mail/mailer.ts'
import type { Person } from '#shared/people/person.ts'
import type { VersionedSettings } from '#shared/settings/settings.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { type Account, createOfficeClient, type OfficeClient, seen } from './office-client.ts'
import { academicYear, programs, type Student } from './school.ts'
import type { Waits } from './waits.ts'

const staff = [
  { name: 'Director', role: 'coordinator', components: [] },
  { name: 'Commandant', role: 'coordinator', components: ['ROTC'] },
  { name: 'CWTS coordinator', role: 'coordinator', components: ['CWTS'] },
  { name: 'LTS coordinator', role: 'coordinator', components: ['LTS'] },
  { name: 'Encoder one', role: 'assistant', components: [] },
  { name: 'Encoder two', role: 'assistant', components: [] },
  { name: 'Encoder of ROTC', role: 'assistant', components: ['ROTC'] },
  { name: 'Encoder of CWTS', role: 'assistant', components: ['CWTS'] },
  { name: 'Registrar', role: 'registrar', components: [] },
  { name: 'Registrar two', role: 'registrar', components: [] },
  { name: 'Data protection officer', role: 'privacy officer', components: [] },
] as const satisfies readonly Pick<Account, 'name' | 'role' | 'components'>[]

export type Office = Awaited<ReturnType<typeof openOffice>>

interface OfficeOptions {
  url: (index: number) => string
  waits: Waits
  students: readonly Student[]
}

/** Twelve people with the five roles, who change their first passwords, and the settings of the school. */
export async function openOffice({ url, waits, students }: OfficeOptions, mail: SendingAccount) {
  const leaks: string[] = []
  const look = createLook(students, leaks)
  const clientOf = (account: Account, first: number) =>
    createOfficeClient({ account, url, first, waits, look })

  const admin = await clientOf(
    {
      name: 'Administrator',
      role: 'administrator',
      components: [],
      email: adminEmail,
      password: adminPassword,
    },
    0,
  )
  await setUp(admin, mail)
  const clients = new Map<string, OfficeClient>()
  // The number of accounts so far: they begin at the processes by turns.
  let places = 0

  /** Gives somebody an account, whose first password is changed. */
  async function engage(
    { name, role, components }: Pick<Account, 'name' | 'role' | 'components'>,
    scope: { expiresOn: string | null; sectionIds?: string[] },
  ): Promise<OfficeClient> {
    const email = `${name.toLowerCase().replaceAll(' ', '.')}@school.example`
    const { password } = await admin.act<{ person: Person; password: string }>('POST', '/people', {
      ...{ displayName: name, email, role, components },
      ...scope,
    })
    places += 1
    const client = await clientOf({ name, role, components, email, password }, places)
    await client.changePassword(`${places} green mangoes on a tricycle`)
    return client
  }

  for (const one of staff) {
    const expiresOn = one.role === 'assistant' ? '2199-12-31' : null
    clients.set(one.name, await engage(one, { expiresOn }))
  }

  function person(name: (typeof staff)[number]['name']): OfficeClient {
    const client = clients.get(name)
    if (!client) throw new Error(`${name} is nobody`)
    return client
  }
  return {
    leaks,
    admin,
    person,
    engage: async (name: string, scope: { expiresOn: string; sectionIds: string[] }) =>
      await engage({ name, role: 'facilitator', components: [] }, scope),
    director: person('Director'),
    registrar: person('Registrar'),
    privacyOfficer: person('Data protection officer'),
    coordinators: {
      ROTC: person('Commandant'),
      CWTS: person('CWTS coordinator'),
      LTS: person('LTS coordinator'),
    } satisfies Record<NstpComponent, OfficeClient>,
    /** The same people at another portal, such as the restored one. */
    async at(otherUrl: string, people: readonly OfficeClient[]): Promise<OfficeClient[]> {
      return await Promise.all(
        people.map(({ account }) =>
          createOfficeClient({ account, url: () => otherUrl, first: 0, waits, look }),
        ),
      )
    },
  }
}

async function setUp(admin: OfficeClient, mail: SendingAccount): Promise<void> {
  const settings = await admin.read<VersionedSettings>('/settings')
  const { office } = settings
  await admin.ask(
    'PATCH',
    '/settings',
    {
      schoolName: 'Sample College of Cavite',
      currentAcademicYear: academicYear,
      office: { ...office, heiType: 'LUCs', region: '04-CALABARZON' },
      programs,
      signatories: [{ name: 'Maria Santos', title: 'NSTP Director', signs: 'both' }],
      mailPerDay: 1_000_000,
      mailPerMinute: 10_000,
    },
    seen(settings),
  )
  const { senderAddress, password, userName, ...rest } = mail
  await admin.ask('POST', '/update-email-config', {
    emailUser: senderAddress,
    emailPassword: password,
    userName,
    host: rest.host,
    port: rest.port,
    secure: rest.secure,
  })
}

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Notes each student whom somebody is sent without ever having had their component. */
function createLook(students: readonly Student[], leaks: string[]) {
  return ({ name, components }: Account, path: string, text: string) => {
    const found = new Set(text.match(ids))
    if (found.size === 0) return
    for (const { id, number, components: own } of students) {
      if (id === '' || !found.has(id) || components.some((one) => own.has(one))) continue
      leaks.push(`${name}: ${number} at ${path}`)
    }
  }
}
