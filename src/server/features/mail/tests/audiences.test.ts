import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { storeAnnouncements } from '#tests/factories/stored-announcement.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { type MailFixture, openMailFixture } from '#tests/setup/mail-fixture.ts'

let fixture: MailFixture
beforeAll(async () => {
  fixture = await openMailFixture()
  await fixture.configure()
  await fixture.setAddress('https://nstp.school.example')
})
afterAll(() => fixture.close())

/** The name before @x.example, and whose it is. */
const people: Record<string, Parameters<typeof storeStudent>[1]> = {
  cwts: { nstpComponent: 'CWTS' },
  rotc: { nstpComponent: 'ROTC' },
  archived: {
    nstpComponent: 'CWTS',
    archived: true,
    archivedDate: new Date('2026-11-20T00:00:00Z'),
  },
  blocked: { nstpComponent: 'CWTS', restriction: 'blocked' },
  withdrawn: { nstpComponent: 'CWTS', restriction: 'withdrawn' },
  stopped: { nstpComponent: 'CWTS' },
}
let ids: string[]

beforeEach(async () => {
  await fixture.clear()
  await fixture.db.deleteFrom('announcements').execute()
  const { database } = fixture.server
  const stored = Object.entries(people).map(([name, person]) =>
    storeStudent(database, { email: `${name}@x.example`, ...person }),
  )
  ids = (await Promise.all(stored)).map(({ id }) => id)
  await fixture.optOut('stopped@x.example')
})

const text = { subject: 'Drill', useCustomTemplate: true, body: 'Good day!' }
const bulk = (to: object) => fixture.done('POST', '/mail/batches', { ...text, ...to })
async function announce(mailTo: string) {
  const [id] = await storeAnnouncements(fixture.server.database, [
    { mailTo, publishedAt: new Date(Date.now() - 60_000) },
  ])
  await fixture.done('POST', `/announcements/${id}/mail`)
}

test.each<[string, () => Promise<unknown>, string[]]>([
  ['an announcement to all', () => announce(''), ['cwts', 'rotc']],
  ['an announcement to a component', () => announce('CWTS'), ['cwts']],
  ['a bulk e-mail to all', () => bulk({ audience: {} }), ['cwts', 'rotc']],
  ['a bulk e-mail to a component', () => bulk({ audience: { component: 'CWTS' } }), ['cwts']],
  ['a bulk e-mail to the archived', () => bulk({ audience: { archive: 'archived' } }), ['archived']],
  // A record may be archived after it was selected.
  ['a bulk e-mail to a selection', () => bulk({ audience: { ids } }), ['cwts', 'rotc']],
  // An address that is written out is meant.
  [
    'a bulk e-mail to a list of addresses',
    () => bulk({ recipients: Object.keys(people).map((name) => ({ email: `${name}@x.example` })) }),
    ['archived', 'cwts', 'rotc'],
  ],
])('%s leaves out who is blocked, withdrew consent or stopped e-mail', async (_what, send, expected) => {
  await send()
  await fixture.allEnded()
  const recipients = fixture.sink.messages.flatMap(({ to }) => to)
  expect(recipients.sort()).toEqual(expected.map((name) => `${name}@x.example`))
})
