import type { Locator, Page } from '@playwright/test'
import { expect, signIn } from './journey.ts'

/** Opens System Settings by the user menu, as the administrator: unlike a page of the server's, it is alive at once. */
export async function openSettings(page: Page): Promise<void> {
  await signIn(page)
  await page.goto('/admin')
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'System Settings' }).click()
  await page.waitForURL(/tab=system-settings/)
  await expect(page.getByRole('heading', { name: 'System Settings' })).toBeVisible()
}

const pages: Readonly<Record<string, string>> = {
  Enlistment: 'Enlistment',
  'Academic years': 'Enlistment',
  Courses: 'Enlistment',
  'Degree programs': 'Enlistment',
  Names: 'School',
  Semesters: 'Program',
  'E-mail limits': 'E-mail',
  Retention: 'Records',
  Banner: 'Site content',
  Features: 'Site content',
}

/** Opens the page of a part of the screen that is saved by itself. */
export async function section(page: Page, title: string): Promise<Locator> {
  const name = pages[title] ?? ''
  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()
  return page.getByRole('form', { name: title, exact: true })
}
