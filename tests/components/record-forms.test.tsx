import { useQuery } from '@tanstack/react-query'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { type Person, personMessages } from '#shared/people/person.ts'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { Modal } from '#web/components/modal.tsx'
import { AnnouncementForm } from '#web/features/announcements/announcement-form.tsx'
import { NodeEditor } from '#web/features/org-chart/node-form.tsx'
import { PersonForm } from '#web/features/people/person-form.tsx'
import { SlideEditor } from '#web/features/slideshow/slide-editor.tsx'
import { api, reading } from '#web/lib/api.ts'
import { connectionProblem } from '#web/lib/api-problem.ts'
import { resumeSession, sessionRefusal } from '#web/lib/session-end.ts'
import { waitForAnswer } from './office-form.tsx'
import { openScreen } from './open-screen.tsx'
import { refusal, serve } from './stub-server.ts'

const person: Person = {
  id: '1',
  version: 1,
  displayName: 'Ana Cruz',
  email: 'ana@school.example',
  role: 'coordinator',
  components: [],
  expiresOn: null,
  disabledAt: null,
  lastSignInAt: null,
  hasSecondFactor: false,
  secondFactorDue: null,
  mustChangePassword: false,
  sectionIds: [],
  seesPhoneNumbers: false,
}
const position: OrgNode = {
  id: '1',
  version: 1,
  name: 'Dean',
  title: '',
  department: '',
  parentId: null,
  order: 0,
  createdAt: 0,
  imageUrl: null,
  image: null,
}
const slide: Slide = {
  id: '1',
  version: 1,
  title: 'Flag raising',
  description: '',
  active: true,
  order: 0,
  createdAt: 0,
  imageUrl: '/flag.jpg',
  image: {
    width: 1600,
    height: 700,
    webp: [{ url: '/flag.webp', width: 640 }],
    jpeg: { url: '/flag.jpg', width: 1280, height: 560 },
  },
}

const announcement: ManagedAnnouncement = {
  id: '1',
  version: 1,
  title: 'Drill',
  content: 'At the gym.',
  contentHtml: '<p>At the gym.</p>',
  excerpt: 'At the gym.',
  category: 'General',
  pinned: false,
  eventAt: null,
  place: '',
  createdAt: 0,
  updatedAt: 0,
  imageUrl: null,
  image: null,
  attachmentUrl: null,
  attachmentName: null,
  attachmentType: null,
  attachmentSize: null,
  publishAt: 0,
  expireAt: null,
  mailTo: null,
  mailedAt: null,
  mailProblem: '',
  createdBy: null,
  authorEmail: 'office@school.example',
  state: 'published',
}

/** Of tests/e2e/announcements-edits.spec.ts, record-edits.spec.ts and settings.spec.ts in a browser. */
const forms = [
  {
    what: 'person',
    address: '/admin?tab=people&person=1',
    show: (onClose: () => void) => (
      <Modal open onClose={onClose} title="Edit person">
        <PersonForm
          stored={person}
          term={{ termEndsOn: null, sections: [] }}
          isOwn={false}
          onClose={onClose}
        />
      </Modal>
    ),
    path: '/api/people',
    field: 'Name',
    button: 'Save changes',
    theirs: { ...person, version: 2, components: ['CWTS'], disabledAt: '2026-06-01T00:00:00Z' },
    shown: ['Components', 'CWTS'],
    // Its end is no field of the form.
    sends: { displayName: 'Mine', components: ['CWTS'], isDisabled: true },
  },
  {
    what: 'position',
    address: '/admin?tab=orgchart&edit=1',
    show: (onClose: () => void) => (
      <NodeEditor
        opened={{ edit: '1', add: null }}
        nodes={[position]}
        department=""
        hasMoves={false}
        onSaved={onClose}
        onClose={onClose}
      />
    ),
    path: '/api/org-chart/nodes',
    field: 'Title',
    button: 'Save changes',
    theirs: { ...position, version: 2, department: 'Faculty' },
    shown: ['Department', 'Faculty'],
    sends: { title: 'Mine' },
  },
  {
    what: 'slide',
    address: '/admin?tab=slideshow&slide=1',
    show: (onClose: () => void) => (
      <SlideEditor opened="1" slides={[slide]} onUnsaved={() => undefined} onClose={onClose} />
    ),
    path: '/api/slides',
    field: 'Title',
    button: 'Save Changes',
    theirs: { ...slide, version: 2, description: 'Every Monday' },
    shown: ['Description', 'Every Monday'],
    sends: { title: 'Mine' },
  },
] as const

const control = async (name: string) => await screen.findByRole<HTMLInputElement>('textbox', { name })

afterEach(() => {
  cleanup()
  resumeSession()
  vi.unstubAllGlobals()
})

describe.each(forms)(
  'the form of a $what',
  ({ what, address, show, path, field, button, theirs, shown, sends }) => {
    async function edit(
      answer: (version: string | null, times: number) => ReturnType<typeof refusal> | null,
    ) {
      let times = 0
      const log = serve(({ method, version }) => {
        if (method === 'GET') return { body: { items: [theirs], version: '2' } }
        times += 1
        return answer(version, times)
      })
      const onClose = vi.fn<() => void>()
      const { user } = openScreen(show(onClose), address)
      await user.clear(await control(field))
      await user.type(await control(field), 'Mine')
      const save = async () => await user.click(screen.getByRole('button', { name: button }))
      await save()
      return { user, save, onClose, sent: () => log.filter(({ method }) => method !== 'GET') }
    }
    const saved = { body: { id: '1' } }

    test('is refused for an old version, shows what somebody else changed, and is saved on the new one', async () => {
      const { save, sent } = await edit((version) =>
        version === '"2"' ? saved : refusal(409, 'conflict', 'It was changed.'),
      )
      const region = await screen.findByRole('region', { name: 'Conflicting changes' })
      expect(region.textContent).toContain(`This ${what} was changed while you were editing it.`)
      for (const text of shown) expect(region.textContent).toContain(text)
      await save()
      await waitFor(() => expect(screen.queryByRole('region', { name: 'Conflicting changes' })).toBeNull())
      expect(sent().map(({ version }) => version)).toEqual(['"1"', '"2"'])
      expect(sent().at(-1)).toMatchObject({
        method: 'PATCH',
        path: `${path}/1`,
        body: sends,
      })
    })

    test('keeps what is typed without a connection and without a session, and sends it again', async () => {
      const problems = [null, refusal(401, 'unauthenticated', 'Please sign in.'), saved]
      const { save, sent, onClose } = await edit((_version, times) => problems[times - 1] ?? null)
      expect(await screen.findByText(new RegExp(connectionProblem(undefined).message))).toBeTruthy()
      await save()
      expect(await screen.findByText(/Please sign in\./)).toBeTruthy()
      expect(sessionRefusal()?.message).toBe('Please sign in.')
      expect((await control(field)).value).toBe('Mine')
      await save()
      await waitFor(() => expect(onClose).toHaveBeenCalled())
      expect(sent()).toHaveLength(3)
      expect(sessionRefusal()).toBeNull()
    })
  },
)

/** Its record is read anew, as after a change elsewhere. */
function Followed() {
  const [stored, setStored] = useState(person)
  return (
    <Modal open onClose={() => undefined} title="Edit person">
      <PersonForm
        stored={stored}
        term={{ termEndsOn: null, sections: [] }}
        isOwn={false}
        onClose={() => undefined}
      />
      <button type="button" onClick={() => setStored({ ...forms[0].theirs, components: ['CWTS'] })}>
        A change comes
      </button>
    </Modal>
  )
}

test('a person who is changed elsewhere before anything is typed is saved as the newer record has it', async () => {
  const log = serve(() => ({ body: { id: '1' } }))
  const { user } = openScreen(<Followed />, '/admin?tab=people&person=1')
  await control('Name')
  await user.click(screen.getByRole('button', { name: 'A change comes' }))
  await user.type(await control('Name'), ' Reyes')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(log.find(({ method }) => method === 'PATCH')).toBeTruthy())
  expect(log.find(({ method }) => method === 'PATCH')).toMatchObject({
    version: '"2"',
    body: { displayName: 'Ana Cruz Reyes', components: ['CWTS'], isDisabled: true },
  })
})

test('a person who was changed and then deleted while the form was open is missed by a sentence', async () => {
  serve(({ method }) =>
    method === 'PATCH'
      ? refusal(409, 'conflict', 'It was changed.')
      : { body: { items: [], currentPersonId: '1', version: '2' } },
  )
  const { user } = openScreen(
    forms[0].show(() => undefined),
    '/admin?tab=people&person=1',
  )
  await user.type(await control('Name'), ' Reyes')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByText(new RegExp(personMessages.missing))).toBeTruthy()
  expect((await control('Name')).value).toBe('Ana Cruz Reyes')
})

test('a position that was deleted while it was edited can be added again, without its photo', async () => {
  const log = serve(({ method }) =>
    method === 'PATCH'
      ? refusal(404, 'not_found', 'Organization chart node not found')
      : { body: { id: '2' } },
  )
  const onSaved = vi.fn<(name: string, id: string, isNew: boolean) => void>()
  const editor = (
    <NodeEditor
      opened={{ edit: '1', add: null }}
      nodes={[{ ...position, imageUrl: '/dean.jpg' }]}
      department=""
      hasMoves={false}
      onSaved={onSaved}
      onClose={() => undefined}
    />
  )
  const { user } = openScreen(editor, '/admin?tab=orgchart&edit=1')
  await user.type(await control('Title'), 'Head of School')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect((await screen.findByText(/^It was deleted while you were editing\./)).textContent).toContain('photo')
  await user.click(screen.getByRole('button', { name: 'Add as a new position' }))
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith('Dean', '2', true))
  expect(log.at(-1)).toEqual({
    method: 'POST',
    path: '/api/org-chart/nodes',
    version: null,
    key: null,
    body: { name: 'Dean', title: 'Head of School', department: '', parentId: '' },
  })
})

test('an announcement that was deleted while it was edited can be posted as a new one', async () => {
  const log = serve(({ method }) => {
    if (method === 'PATCH') return refusal(404, 'not_found', 'Announcement not found')
    // The form asks whether it can be e-mailed.
    return { body: method === 'POST' ? { id: '2' } : { status: { isConfigured: false } } }
  })
  const onClose = () => undefined
  const form = (
    <Modal open onClose={onClose} title="Edit announcement">
      <AnnouncementForm stored={announcement} onClose={onClose} />
    </Modal>
  )
  const { user } = openScreen(form, '/admin?tab=announcements&edit=1')
  await user.type(await control('Title'), '!')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await user.click(await screen.findByRole('button', { name: 'Post as a new announcement' }))
  expect(await screen.findByText('Announcement posted successfully!')).toBeTruthy()
  expect(log.find(({ method }) => method === 'POST')).toMatchObject({
    path: '/api/announcements',
    version: null,
    body: { title: 'Drill!', content: 'At the gym.' },
  })
})

function PersonOfList() {
  const query = useQuery({
    queryKey: ['people', 'list'],
    queryFn: reading(api.people.$get, undefined),
  })
  return query.data && forms[0].show(() => undefined)
}

test('what a form shows is read again also after a refusal', async () => {
  const log = serve(({ method }) =>
    method === 'GET' ? { body: { items: [] } } : refusal(422, 'invalid', 'It was refused.'),
  )
  const reads = () => log.filter(({ method }) => method === 'GET').length
  const { user } = openScreen(<PersonOfList />, '/admin?tab=people&person=1')
  await user.type(await control('Name'), ' Reyes')
  expect(reads()).toBe(1)
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByText('It was refused.')).toBeTruthy()
  await waitFor(() => expect(reads()).toBe(2))
  expect((await control('Name')).value).toBe('Ana Cruz Reyes')
})

test('an announcement is not changed while it is sent, as its form closes then', async () => {
  const { answer, come } = waitForAnswer()
  const log = serve(async ({ method }) => {
    if (method === 'PATCH') await answer
    return { body: method === 'PATCH' ? { id: '1' } : { status: { isConfigured: false } } }
  })
  const form = (
    <Modal open onClose={() => undefined} title="Edit announcement">
      <AnnouncementForm stored={announcement} onClose={() => undefined} />
    </Modal>
  )
  const { user } = openScreen(form, '/admin?tab=announcements&edit=1')
  await user.type(await control('Title'), '!')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await screen.findByRole('button', { name: 'Saving…' })
  const category = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Category' })
  await user.type(await control('Title'), '?')
  await user.selectOptions(category, 'Important')
  expect((await control('Title')).value).toBe('Drill!')
  expect(category.value).toBe('General')
  come()
  expect(await screen.findByText('Announcement updated successfully!')).toBeTruthy()
  expect(log.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
    title: 'Drill!',
    category: 'General',
  })
})
