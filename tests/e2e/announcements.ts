import type { APIRequestContext, Page } from '@playwright/test'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { expect, signIn } from './journey.ts'

type Fields = Record<string, string | { name: string; mimeType: string; buffer: Buffer }>

let last = 0

/** A title that no other test has. */
export function uniqueTitle(words = 'Announcement'): string {
  last += 1
  // None is the beginning of another.
  return `${words} ${process.pid}-${String(last).padStart(4, '0')}`
}

/** Opens a public page and waits for its scripts: before, a card leads to its own page. */
export async function openPublic(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' })
}

/** Posts one as another program of the signed-in administrator would. */
export async function post(request: APIRequestContext, fields: Fields): Promise<ManagedAnnouncement> {
  const answer = await request.post('/api/announcements', {
    multipart: { content: 'At the gym.', ...fields },
  })
  expect(answer.status()).toBe(201)
  return await answer.json()
}

/** Edits one as another screen of the administrator would. */
export async function editElsewhere(request: APIRequestContext, id: string, fields: Fields): Promise<void> {
  const { version } = await readManaged(request, id)
  const answer = await request.patch(`/api/announcements/${id}`, {
    multipart: fields,
    headers: { 'If-Match': `"${version}"` },
  })
  expect(answer.status()).toBe(200)
}

export async function readManaged(request: APIRequestContext, id: string): Promise<ManagedAnnouncement> {
  return await (await request.get(`/api/announcements/${id}`)).json()
}

/** Deletes what there is. */
export async function clearAnnouncements(request: APIRequestContext): Promise<void> {
  const { items }: { items: ManagedAnnouncement[] } = await (
    await request.get('/api/announcements?all=true&limit=50')
  ).json()
  for (const { id } of items) await request.delete(`/api/announcements/${id}`)
}

/** Opens the coordinator's tab. */
export async function openManager(page: Page): Promise<void> {
  await signIn(page)
  await page.goto('/admin?tab=announcements')
  await expect(page.getByRole('button', { name: 'New announcement' })).toBeVisible()
  await expect(page.getByText('Loading announcements...')).toHaveCount(0)
}

/** Opens the form of an announcement in the list. */
export async function openForm(page: Page, title: string) {
  await page.getByRole('button', { name: `Edit ${title}`, exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit announcement' })
  await expect(form.getByLabel('Title')).toHaveValue(title)
  return form
}
