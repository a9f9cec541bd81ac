import type { Page } from '@playwright/test'
import { expect, signIn } from './journey.ts'

let last = 0

/** A subject that no other test has, and none is the beginning of another. */
export function uniqueSubject(words: string): string {
  last += 1
  return `${words} ${process.pid}-${String(last).padStart(4, '0')}`
}

/** An address that no other test has. */
export function uniqueAddress(name: string): string {
  last += 1
  return `${name}.${process.pid}.${last}@school.example`
}

/** Opens the tab "Bulk Emails", as the administrator. */
export async function openBulk(page: Page): Promise<void> {
  await signIn(page)
  await page.goto('/admin?tab=email&pane=bulk')
  await expect(page.getByRole('textbox', { name: 'Subject' })).toBeEnabled()
}

/** Types a list of recipients. */
export async function typeList(page: Page, list: string): Promise<void> {
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await page.getByRole('textbox', { name: 'Recipients' }).fill(list)
}

export async function writeMessage(page: Page, subject: string, message: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Subject' }).fill(subject)
  await page.getByRole('textbox', { name: 'Message' }).fill(message)
}

/** Presses the form's button, and that of the question. */
export async function send(page: Page, count: string): Promise<void> {
  await page
    .getByRole('form', { name: 'Bulk e-mail' })
    .getByRole('button', { name: `Send to ${count}` })
    .click()
  const question = page.getByRole('dialog', { name: 'Send bulk e-mail' })
  await expect(question.getByText(`Send this e-mail to ${count}?`)).toBeVisible()
  await question.getByRole('button', { name: `Send to ${count}` }).click()
}

/** Writes to a list and waits for the batch's own view. */
export async function sendToList(page: Page, subject: string, addresses: readonly string[]): Promise<void> {
  await openBulk(page)
  await typeList(page, addresses.join('\n'))
  await writeMessage(page, subject, 'Dear {firstName},\n\nwe meet at the gym.')
  await send(page, addresses.length === 1 ? '1 recipient' : `${addresses.length} recipients`)
  await expect(page.getByRole('heading', { name: subject })).toBeVisible()
}
