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

/** A part of the screen that is saved by itself. */
export function section(page: Page, title: string): Locator {
  return page.getByRole('form', { name: title, exact: true })
}
