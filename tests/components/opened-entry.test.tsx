import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AuditItem } from '#shared/audit/audit-response.ts'
import type { MailItem } from '#shared/mail/mail-response.ts'
import { AuditTab } from '#web/features/audit/audit-tab.tsx'
import { Outbox } from '#web/features/mail/outbox.tsx'
import { openScreen } from './open-screen.tsx'

const id = '01990000-0000-7000-8000-000000000003'
const cursor = '1790000000000.01990000-0000-7000-8000-000000000002'

const message: MailItem = {
  id,
  kind: 'single',
  batchId: null,
  studentId: null,
  recipient: 'ana@school.example',
  name: '',
  subject: 'Enrolment',
  state: 'sent',
  createdAt: '2026-11-01T00:00:00.000Z',
  attempts: 1,
  endedAt: '2026-11-01T00:01:00.000Z',
  notBefore: null,
  failure: '',
}

const entry: AuditItem = {
  id,
  at: '2026-11-01T00:00:00.000Z',
  action: 'settings-changed',
  actor: 'office@school.example',
  actorName: 'Office',
  clientAddress: '',
  userAgent: '',
  requestId: '',
  studentId: null,
  studentName: null,
  subject: '',
  fields: [],
  affected: 1,
  detail: {},
  hasValues: false,
}

/** Of each list a page that is neither the first nor the last; and the letter. */
const pages: Readonly<Record<string, object>> = {
  '/api/mail/messages': { items: [message], nextCursor: '1.older' },
  [`/api/mail/messages/${id}`]: { ...message, html: '<p>Hello</p>', text: 'Hello' },
  '/api/audit': { items: [entry], nextCursor: '1.older' },
}

let asked: URL[] = []

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', async (input: string | URL) => {
    const url = new URL(input, window.location.href)
    asked.push(url)
    const page = pages[url.pathname]
    return page ? Response.json(page) : Response.json({ code: 'not_found' }, { status: 404 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const lists = {
  'a message of the outbox': {
    screen: <Outbox />,
    address: '/admin?tab=email&pane=outbox&state=sent',
    opener: 'Open the e-mail to ana@school.example: Enrolment',
    dialog: 'E-mail',
    read: '/api/mail/messages',
  },
  'an entry of the audit trail': {
    screen: <AuditTab />,
    address: '/admin?tab=audit&search=office',
    opener: /^Details: /,
    dialog: /./,
    read: '/api/audit',
  },
}

test.each(Object.entries(lists))(
  '%s is opened and closed on the page where it stands',
  async (_what, list) => {
    const { router, user } = openScreen(list.screen, `${list.address}&cursor=${cursor}`)
    const search = () => new URLSearchParams(router.state.location.search)
    const before = search()

    await user.click(await screen.findByRole('button', { name: list.opener }))
    await screen.findByRole('dialog', { name: list.dialog })
    const opened = search()
    for (const [name, value] of before) expect([name, opened.get(name)]).toEqual([name, value])
    expect([...opened.values()]).toContain(id)

    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect([...search()].sort()).toEqual([...before].sort())
    const cursors = asked
      .filter(({ pathname }) => pathname === list.read)
      .map((url) => url.searchParams.get('cursor'))
    expect(new Set(cursors)).toEqual(new Set([cursor]))
  },
)
